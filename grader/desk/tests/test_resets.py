"""student's commands: reset puts a stub back, keeps the function, and changes nothing else"""

import re

import pytest

from kit import GRADED, ROOT, USAGE, lab_of, labs, replace_in, write_step

POOL = ROOT / "solution/02-block-pool/block_pool.cpp"
TOUCH = "void BlockPool::touch("
FREE_BLOCKS = "void BlockPool::free_blocks("
END = "}  // namespace kv\n"


@pytest.fixture
def tree(kit):
    return kit.new_folder("tree")


@pytest.fixture
def reset(kit, tree):
    return lambda step, *more: kit.lab("reset", step, *more, "--tree", tree)


def put(tree, lab, file, text):
    """The line ends stay as they are."""
    path = tree / lab.folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


def text_of(path, line_end="\n"):
    return path.read_bytes().decode().replace("\n", line_end)


def kept_by(outcome):
    """The file in which the function is kept. Its path is below the kit's root, or whole."""
    return ROOT / re.search("your function is kept in (.*)\n", outcome.output)[1]


def expect_only_one_function_changed(before, after, function):
    head, _, tail = before.partition(function)
    assert before.count(function) == 1
    assert after.startswith(head) and after.endswith(tail)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_the_solution_with_all_steps_reset_is_the_starter(tree, reset, lab, line_end):
    for file in lab.files:
        put(tree, lab, file, text_of(ROOT / "solution" / lab.folder / file, line_end))
    for step in lab.steps:
        if "rewrites" in step:  # it has no stub of its own
            continue
        path = tree / lab.folder / step["file"]
        before = text_of(path)
        outcome = reset(step["step"])
        outcome.expect(GRADED, f"step {step['step']} ", " is not written again: ")
        kept = text_of(kept_by(outcome))
        expect_only_one_function_changed(before, text_of(path), kept.removesuffix("\n"))
    for file in lab.files:
        starter = text_of(ROOT / "starter" / lab.folder / file, line_end)
        assert text_of(tree / lab.folder / file) == starter


def test_reset_names_the_stub_and_the_kept_function(tree, reset):
    lab = lab_of("02")
    path = put(tree, lab, "block_pool.cpp", text_of(ROOT / "starter/02-block-pool/block_pool.cpp"))
    write_step(lab, tree, "2.3", "for (KVCacheBlock* block : blocks) ++block->ref_cnt;")
    reset("2.3").expect(GRADED, "/block_pool.cpp:55:3\nyour function is kept in ")
    untouched = text_of(path)
    reset("2.3").expect(USAGE, "nothing to reset: ", "is the stub already")
    assert text_of(path) == untouched


def test_the_solution_is_not_reset(kit):
    before = text_of(POOL)
    kit.lab("reset", "2.3", "--tree", "solution").expect(USAGE, "solution/ is the kit's")
    assert text_of(POOL) == before


@pytest.mark.parametrize("edits, sentence", [
    ([(TOUCH, "{ " + TOUCH)], "has no partner"),
    ([(TOUCH, ") " + TOUCH)], "has no partner"),
    ([(TOUCH, "void BlockPool::tuoch(")], "the function of step 2.3 touch is not found"),
    # touch lacks its last brace, and there is one too many at the end of the file.
    ([("}\n\n" + FREE_BLOCKS, "\n" + FREE_BLOCKS), (END, "}\n" + END)],
     "the function of step 2.4 free_blocks is not found"),
])
def test_a_file_that_is_not_understood_is_not_changed(tree, reset, edits, sentence):
    path = put(tree, lab_of("02"), "block_pool.cpp", text_of(POOL))
    for old, new in edits:
        replace_in(path, old, new)
    before = text_of(path)
    reset("2.3").expect(USAGE, sentence)
    assert text_of(path) == before


def test_a_step_without_a_stub_names_the_steps_that_it_rewrites(tree, reset):
    lab = lab_of("03")
    paths = [put(tree, lab, file, "") for file in lab.files]
    reset("3.16").expect(USAGE, "has no stub of its own: it rewrites 3.8 ")
    assert {text_of(path) for path in paths} == {""}


def test_a_helper_with_the_name_of_a_step_stays(tree, reset):
    lab = lab_of("05")
    file = next(step["file"] for step in lab.steps if step["step"] == "5.2")
    path = put(tree, lab, file, text_of(ROOT / "solution" / lab.folder / file))
    helper = "void write_kv(int row) {\n  row = 0;\n}\n"
    replace_in(path, "namespace kv {\n", "namespace kv {\n" + helper)
    reset("5.2").expect(GRADED)
    assert helper in text_of(path) and text_of(path).count("KV_TODO(") == 1


def test_a_second_reset_keeps_the_first_function_and_the_mode_of_the_file(tree, reset):
    lab = lab_of("01")
    solution = text_of(ROOT / "solution" / lab.folder / lab.files[0])
    kept = set()
    for _ in range(2):
        path = put(tree, lab, lab.files[0], solution)
        path.chmod(0o600)
        kept.add(kept_by(reset("1.1")))
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(kept) == 2 and all(file.exists() for file in kept)
