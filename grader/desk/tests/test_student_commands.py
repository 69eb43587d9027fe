"""student's commands: next, list and hint, in a tree that is not graded"""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import GRADED, USAGE, copy_labs, lab_of, labs, write_step

LAB = lab_of("02")


@pytest.fixture
def tree(kit):
    """An untouched tree, of which nothing is recorded."""
    kit.new_folder("desk")
    folder = kit.new_folder("tree")
    copy_labs(folder)
    return folder


@pytest.fixture
def student(kit, tree):
    """Runs a command on the tree."""
    return lambda *words: kit.lab(*words, "--tree", tree)


def source(tree):
    return tree / LAB.folder / LAB.files[0]


def state_file(kit):
    return kit.build / "desk/progress.json"


def test_next_names_the_first_step_and_what_to_do_before_it(student):
    student("next").expect(GRADED, f"step {labs()[0].heading('1.1')}", "(the lab takes ",
                           "./lab predict 01  (before you write)")


def test_next_names_the_place_to_write(student):
    student("next", "02").expect(GRADED, "    write   ", "/block_pool.cpp:45:3\n")


def test_next_and_hint_stay_in_the_lab_that_is_begun(student, tree):
    write_step(LAB, tree, "2.1", "return 0;")
    student("next").expect(GRADED, f"lab 02  {LAB.spec['title']}: step {LAB.heading('2.2')}")
    student("hint").expect(GRADED, f"{LAB.heading('2.2')}, ")


def test_list_of_an_untouched_tree(student):
    shown = student("list")
    num_steps = sum(len(lab.steps) for lab in labs())
    shown.expect(GRADED, f"0 of {num_steps} steps done, 0 wrong")
    assert max(map(len, shown.output.splitlines())) <= 80


def test_next_and_list_write_nothing(kit, student):
    student("next")
    student("list")
    assert not state_file(kit).exists()


def test_what_is_written_has_to_be_graded(student, tree):
    write_step(LAB, tree, "2.1", "return 0;")
    student("list", "02").expect(
        GRADED, "1 are written and not graded since: ./lab grade 02 --tree ")
    student("next", "02").expect(GRADED, "has not been graded since")


def test_next_when_all_is_written(student, tree):
    for step in LAB.steps:
        write_step(LAB, tree, step["step"], "throw 0;")
    student("next", "02").expect(GRADED, "every step is written, and not graded since")


def test_a_file_that_is_gone(student, tree):
    source(tree).unlink()
    student("next", "02").expect(GRADED, "(not there; ")
    student("list", "02").expect(GRADED, "0 of 6 steps done")


def test_hint_shows_one_tier_more_each_time(student):
    for tier in "tier 1 of 3: a question", "tier 2 of 3: the state, drawn":
        shown = student("hint", "2.3", "touch")
        shown.expect(GRADED, "2.3 touch, " + tier)
        shown.expect_no("</", "<details>")
    student("hint", "2.3", "touch").expect(USAGE, "--yes shows it")  # no terminal to ask at
    student("hint", "2.3", "--yes").expect(GRADED, "tier 3 of 3: the steps, in words")
    student("hint", "2.3", "touch").expect(GRADED, "2.3 touch was the last")
    student("hint", "2.3", "--tier", "1").expect(GRADED, "touch, tier 1 of 3")


def test_there_is_no_fourth_tier(student):
    student("hint", "2.3", "--tier", "4").expect(USAGE, "--tier")


def test_hint_is_for_the_step_at_hand(student):
    student("hint").expect(GRADED, "1.1 get_all_free_blocks, ")


@pytest.mark.parametrize("command", ["hint", "reset"])
@pytest.mark.parametrize("name, sentence", [
    ("2.9", "there is no step 2.9; the steps of lab 02 are 2.1 get_num_free_blocks, 2.2 get_new"),
    ("2", '"2" is a lab, and a step is needed; the steps of lab 02 are 2.1 get_num_free_blocks, '),
    ("2.3 append", "step 2.3 is touch, not append; the steps of lab 02 are 2.1 get_num_free_"),
    ("touch", "name a step by its number: 2.3 touch"),
    ("9.1", '"9.1" is no step'),
    (".", '"." is no step'),
])
def test_a_step_that_is_not_there_is_refused(student, command, name, sentence):
    student(command, *name.split()).expect(USAGE, sentence)


@pytest.mark.parametrize("content", [
    "", '{"format": 1', '{"format": 99}', "[1, 2]", '{"format": 1, "tiers": 3, "trees": {}}'])
def test_a_damaged_state_file_is_written_again_by_a_grading(kit, student, content):
    state_file(kit).write_text(content)
    damaged = "is damaged or of another version of the kit"
    student("list", "02").expect(GRADED, damaged, "0 of 6 steps done")
    student("grade", "02").expect(GRADED)
    student("list", "02").expect_no(damaged)


def test_changes_at_the_same_time_are_all_in_the_state_file(kit, student, tree):
    student("grade", "02").expect(GRADED)
    steps = [step["step"] for step in LAB.steps]
    with ThreadPoolExecutor(len(steps)) as pool:
        for hint in pool.map(lambda step: student("hint", step), steps):
            hint.expect(GRADED, "tier 1 of 3")
    state = json.loads(state_file(kit).read_text())
    assert state["tiers"] == dict.fromkeys(steps, 1)
    assert LAB.id in state["trees"][str(tree.resolve())]
