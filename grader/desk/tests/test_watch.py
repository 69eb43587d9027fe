"""./lab watch, and the student's commands after it: what is shown after each save and each key"""

import os
import select
import shlex
import time

import pytest

from kit import GRADED, USAGE, copy_lab, lab_of, need, solve_up_to, write_step
from terminal import PATIENCE, terminal_of

LAB = lab_of("01")
SOURCE = LAB.files[0]
LAST_STEP = "1.6"  # the last step of this file
CTRL_C, CTRL_Z = "\x03", "\x1a"
STARTING = "starting ...\033[K"  # once for a grading
IDLE = "waiting for a save in "
REMOVE_FORGETS_A_LINK = """\
block.prev_free_block->next_free_block = block.next_free_block;
  block.next_free_block->prev_free_block = block.prev_free_block;
  block.next_free_block = nullptr;
  --num_free_blocks_;"""


@pytest.fixture(scope="module")
def tree(kit):
    """The student's: lab 01 alone, never graded."""
    kit.new_folder("desk")
    folder = kit.new_folder("watched")
    copy_lab(LAB, folder)
    return folder


@pytest.fixture(scope="module")
def watch(kit, tree):
    terminal = terminal_of(kit, watch_command(kit, tree))
    yield terminal
    terminal.close()


@pytest.fixture(scope="module")
def says(kit, tree):
    def expect(command, *sentences):
        __tracebackhide__ = True
        kit.lab(*command.split(), "--tree", tree).expect(GRADED, *sentences)
    return expect


@pytest.fixture
def at_append(watch, tree):
    """Steps up to 1.3 are done, and 1.4 is at hand."""
    save(tree, solved(tree, "1.3"))
    watch.type("\n")
    watch.expect("next: write step 1.4 append", IDLE)


def watch_command(kit, tree):
    return [kit.program, "watch", LAB.id, "--tree", tree]


def source(tree):
    return tree / LAB.folder / SOURCE


def solved(tree, last_step, open_step=None, code=None):
    """The text of the lab solved up to a step, with this code in the stub of another one."""
    stair = tree.with_name("stair")
    solve_up_to(LAB, last_step, stair)
    if open_step:
        write_step(LAB, stair, open_step, code)
    return source(stair).read_text()


def save(tree, text):
    """Some editors write in place."""
    source(tree).write_text(text)


def save_by_rename(tree, text):
    new = source(tree).with_suffix(".new")
    new.write_text(text)
    new.replace(source(tree))


def opened_when_read(pipe):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:  # it has no reader
            time.sleep(0.1)
    pytest.fail("the compiler does not begin")


def test_an_untouched_lab_begins_with_its_first_step(watch):
    watch.expect("next: write step 1.1 get_all_free_blocks")


def test_single_keys_are_read(watch):
    assert not watch.has_line_mode()


def test_after_a_step_that_is_right_comes_the_next_one(watch, tree, says):
    save(tree, solved(tree, "1.1"))
    watch.expect(" ok ", "next: write step 1.2 remove", IDLE)
    says("list 01", "1 of 11 steps done, 0 wrong; 12 core points")
    says("next 01", "step 1.2 remove")


def test_a_wrong_step_is_to_be_fixed(watch, tree, says):
    save_by_rename(tree, solved(tree, "1.1", "1.2", REMOVE_FORGETS_A_LINK))
    watch.expect("what went wrong: ", "next: fix step 1.2 remove", IDLE)
    says("list 01", "1 of 11 steps done, 1 wrong")
    says("next 01", "    fix     ", f"/{SOURCE}:33:6\n")
    says("hint 1.2", "step 1.2 remove looks like: remove sets the block's next_free_block to null")


def test_a_compile_error_is_to_be_fixed(watch, tree, says):
    save(tree, solved(tree, "1.1", "1.2", "block.prev_free_block->nonsense();"))
    watch.expect("does not compile", "nonsense", IDLE)
    says("list 01", " does not compile ")
    says("next 01", "    fix     ", f"/{SOURCE}:35:26: error: ")


@pytest.mark.parametrize("code, sentence", [
    ("static_cast<KVCacheBlock*>(nullptr)->ref_cnt = 1;",
     "a write through a null pointer in remove"),
    ("for (volatile int i = 0;; i = 1) {\n  }", "a loop that does not end"),
])
def test_a_crash_and_a_hang_are_explained(watch, tree, code, sentence):
    save(tree, solved(tree, "1.1", "1.2", code))
    watch.expect(sentence)


def test_a_file_may_go_and_come_back(watch, tree):
    source(tree).unlink()
    watch.expect("graded as untouched")
    save(tree, solved(tree, "1.2"))
    watch.expect("next: write step 1.3 popleft")


def test_several_writes_of_one_new_content_are_graded_once(watch, tree):
    text = solved(tree, "1.2")
    save(tree, text)
    watch.expect("next: write step 1.3 popleft", IDLE)
    before = watch.printed.count(STARTING)
    save(tree, text)  # the same content
    source(tree).with_suffix(".cpp~").write_text("an editor's copy")
    source(tree).with_name("notes.cpp").write_text("not a file of the lab")
    save(tree, "")
    save(tree, text)
    save(tree, solved(tree, "1.2", "1.3", "return nullptr;"))
    watch.expect("next: fix step 1.3 popleft")
    assert watch.printed.count(STARTING) == before + 1


def test_a_save_while_it_compiles_ends_the_compiler(kit, watch, tree):
    """The compiler of the first save waits for what it includes, a pipe. It is gone when the pipe
    has no reader."""
    watch.expect(IDLE)
    record = kit.build / "desk/progress.json"
    recorded = record.read_text()
    pipe = tree / "endless.h"
    os.mkfifo(pipe)
    save(tree, f'#include "{pipe}"\n')
    writer = opened_when_read(pipe)
    assert record.read_text() == recorded, "it records while it grades"
    save(tree, solved(tree, "1.3"))
    end = select.poll()
    end.register(writer, 0)
    assert end.poll(60_000), "the compiler is still there"
    os.close(writer)
    watch.expect("next: write step 1.4 append", IDLE)


def test_h_shows_the_hints_and_asks_before_the_last(watch, at_append):
    watch.type("h")
    watch.expect("1.4 append, tier 1 of 3")
    watch.type("\n")
    watch.expect("next: write step 1.4 append")
    watch.type("h")
    watch.expect("1.4 append, tier 2 of 3")
    watch.type("h")
    watch.expect("y yes, another key no")
    watch.type("x")
    watch.expect("next: write step 1.4 append")
    watch.type("hy")
    watch.expect("1.4 append, tier 3 of 3")


@pytest.mark.parametrize("key, sentence", [
    ("n", "    write "),
    ("l", "3 of 11 steps done, 0 wrong"),
    ("d", "when the core of a lab is done"),
    ("a", "lab 06  The CUDA kernel      not submitted"),
])
def test_a_key_shows_a_page(watch, at_append, key, sentence):
    watch.type(key)
    watch.expect(sentence)


def test_r_puts_the_stub_back_and_keeps_the_function(watch, tree, at_append):
    watch.type("\033[A")  # the arrow upwards is no key of ours
    save(tree, solved(tree, "1.3", "1.4", "append(block);"))  # endless recursion
    watch.expect("next: fix step 1.4 append", IDLE)
    watch.type("r")
    watch.expect("Put the stub of step 1.4 append back?")
    watch.type("y")
    watch.expect("your function is kept in ", "next: write step 1.4 append")
    assert source(tree).read_text() == solved(tree, "1.3")


def test_a_page_fits_its_window_and_space_turns_it(watch, tree):
    save(tree, solved(tree, "1.3", "1.4", "// nothing"))
    watch.expect("next: fix step 1.4 append")
    watch.resize(10, 40)
    watch.expect(" more lines: space --")
    lines = watch.screen().splitlines()
    assert len(lines) <= 10 and max(map(len, lines)) <= 40
    watch.resize(16, 80)
    watch.expect("what the test did:")
    watch.type(" ")
    watch.expect("-- from the top: space --", "next: fix step 1.4 append")
    watch.resize(40, 80)
    watch.expect("this test checks: ")


def test_d_compares_a_lab_that_is_done_and_q_ends(watch, tree):
    save(tree, solved(tree, LAST_STEP))
    watch.expect("compare: ./lab diff ", IDLE)
    watch.type("d")
    watch.expect("1.1 get_all_free_blocks: the same")
    watch.type("q")
    watch.expect("6 of 11 steps done, 0 wrong")
    assert watch.has_line_mode()
    assert watch.exit_code() == GRADED


@pytest.fixture
def shell(kit):
    need("bash")
    terminal = terminal_of(kit, ["bash", "--norc", "--noprofile", "-i"], {"PS1": "prompt> "})
    terminal.expect("prompt> ")
    yield terminal
    terminal.close()


def test_a_shell_can_stop_it_and_go_on_and_end_it(kit, tree, shell):
    save(tree, solved(tree, LAST_STEP))
    shell.type(shlex.join(map(str, watch_command(kit, tree))) + "\n")
    shell.expect("compare: ./lab diff ")
    shell.type(CTRL_Z)
    shell.expect("Stopped", "prompt> ")
    shell.type("fg\n")
    shell.expect("n next  h hint")
    assert not shell.has_line_mode()
    shell.type("l")
    shell.expect("6 of 11 steps done")
    shell.type(CTRL_C)
    shell.expect("prompt> ")
    shell.type("echo exit $?\n")
    shell.expect("exit 130")
    shell.type("stty -a\n")
    shell.expect(" icanon ", " echo ")


def test_without_a_terminal_it_grades_once_and_a_change_makes_that_old(kit, tree, says):
    save(tree, solved(tree, LAST_STEP))
    (kit.build / "desk/progress.json").write_text("[1, 2]")  # damaged
    says("watch 01", "total 100/100 core")
    says("list 01", "6 of 11 steps done, 0 wrong")
    save(tree, solved(tree, LAST_STEP) + "// a change\n")
    says("list 01", "0 of 11 steps done")


def test_at_a_terminal_that_shows_no_pages_it_grades_once(kit, tree):
    save(tree, solved(tree, LAST_STEP))
    terminal = terminal_of(kit, watch_command(kit, tree), {"TERM": "dumb"})
    assert terminal.exit_code() == GRADED
    terminal.expect("total 100/100 core")


@pytest.mark.parametrize("words, sentence", [
    (["99"], 'there is no lab "99"'),
    (["--tree", "/nowhere"], 'there is no folder "/nowhere"'),
])
def test_a_lab_or_a_tree_that_is_not_there_is_refused(kit, words, sentence):
    kit.lab("watch", *words).expect(USAGE, sentence)
