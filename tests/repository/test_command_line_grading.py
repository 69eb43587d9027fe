"""the command line: ./lab grade, whatever is handed in and the machine does; and ./lab new-lab"""

import os
import re
import select
import shutil
import signal
import subprocess
import time

import pytest

from kit import BROKEN, GRADED, ROOT, USAGE, Kit, lab_of, replace_in
from submissions import variations

LAB = lab_of("01").folder
QUEUE = f"{LAB}/free_kv_cache_block_queue.cpp"
COMPACT_QUEUE = f"{LAB}/compact_free_queue.cpp"
HEADER = f"{LAB}/compact_free_queue.h"
NO_SCORE = "lab: no score, and this is not your fault: "
YEAR = 365 * 24 * 3600


@pytest.fixture
def tree(kit_copy):
    """A copy of the solution."""
    tree = kit_copy.root / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT / "solution", tree)
    return tree


def add(file, text):
    file.write_bytes(file.read_bytes() + text)


def test_a_known_bug_is_recognized_and_hints_follow(kit_copy, tree):
    bug = next(bug for bug in variations(lab_of("01")) if bug.name == "listing-in-reverse")
    looks_like = f"looks like: {bug.sentence}"
    replace_in(tree / QUEUE, "= sentinel_.next_free_block;\n  while (",
               "= sentinel_.prev_free_block;\n  while (")
    replace_in(tree / QUEUE, "block = block->next_free_block;", "block = block->prev_free_block;")

    kit_copy.lab("grade", "01", "--tree", tree).expect(GRADED, looks_like)
    kit_copy.lab("hint", "--tree", tree).expect(GRADED, looks_like)
    kit_copy.lab("hint", "--tree", tree).expect(GRADED, ", tier 1 of 3: ")


def expect_printable_reports(kit_copy, tree):
    """The screen and both files are UTF-8 without control characters. Returns the screen."""
    json_file, junit_file = kit_copy.root / "out.json", kit_copy.root / "out.xml"
    outcome = kit_copy.lab("grade", "01", "--all", "--tree", tree, "--json", json_file,
                           "--junit", junit_file)
    outcome.expect(GRADED)
    for text in [outcome.output, json_file.read_text(), junit_file.read_text()]:
        assert "caf\uFFFD" in text and not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    return outcome.output


def test_latin_1_in_a_source_is_reported_in_utf_8(kit_copy, tree):
    add(tree / QUEUE, b'int x = "caf\xE9";\n')
    expect_printable_reports(kit_copy, tree)


def test_latin_1_in_an_exception_is_reported_in_utf_8(kit_copy, tree):
    """What a test prints is cut between two characters: x and 999 others have 1999 bytes."""
    shutil.copy(ROOT / "starter" / QUEUE, tree / QUEUE)
    replace_in(tree / QUEUE, 'KV_TODO("1.1 get_all_free_blocks")',
               'std::puts(("x" + many).c_str()), throw std::runtime_error(what)')
    start = (tree / QUEUE).read_bytes()
    (tree / QUEUE).write_bytes(
        b"#include <cstdio>\n#include <stdexcept>\n#include <string>\n"
        b'const char* const what = "caf\xE9 \\x1b[2J";\n'
        b'const std::string many = [] { std::string text; for (int i = 0; i < 1100; ++i) text += '
        b'"\xC3\xA9"; return text; }();\n' + start)
    screen = expect_printable_reports(kit_copy, tree)
    assert re.search(r"x\u00E9{999}\n *\.\.\. \(cut\)", screen)


def set_dates(folder, seconds_from_now):
    for file in folder.rglob("*"):
        if file.is_file():
            os.utime(file, (time.time() + seconds_from_now,) * 2)


def test_a_clock_that_was_set_back_changes_no_score(kit_copy):
    """It makes objects that are newer than the files that are staged now."""
    stage = kit_copy.build / "stage"
    kit_copy.lab("grade", "01", "--tree", "solution").expect(GRADED, "total 100/100")
    shutil.copy(ROOT / "starter" / QUEUE, stage / QUEUE)
    set_dates(stage, -YEAR)
    kit_copy.lab("grade", "01").expect(GRADED, "total 0/100")

    kit_copy.lab("grade", "01", "--tree", "solution")
    set_dates(stage, YEAR)
    kit_copy.lab("grade", "01", "--tree", "solution").expect(GRADED, "total 100/100")
    kit_copy.lab("grade", "01").expect(GRADED, "total 0/100")


@pytest.mark.parametrize("limit", ["-f 1", "-f 32", "-n 100"])
def test_a_limit_of_the_shell_gives_no_score(kit_copy, tree, limit):
    add(tree / QUEUE, f"// {limit}\n".encode())  # or nothing would be compiled
    shell = Kit("sh", kit_copy.build, kit_copy.root)
    outcome = shell.lab("-c", f'ulimit {limit}; exec "$0" grade 01 --tree "$1"', kit_copy.program,
                        tree)
    outcome.expect(BROKEN, NO_SCORE)
    outcome.expect_no("total")


def test_without_the_limits_there_is_a_score(kit_copy, tree):
    add(tree / QUEUE, b"// -n 100\n")
    kit_copy.lab("grade", "01", "--tree", tree).expect(GRADED, "total 100/100")


def pipe_that_a_compiler_reads(pipe):
    """Opens the end to write to, as soon as there is a reader."""
    for _ in range(600):
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.1)
    pytest.fail("no compiler reads the pipe")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_grader_leaves_no_compiler(kit_copy, tree, number):
    """The compiler waits for what it includes, a pipe. It is gone when the pipe has no reader."""
    pipe = kit_copy.root / "endless.h"
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    add(tree / QUEUE, f'#include "{pipe}"  // {number}\n'.encode())
    folders = {"LAB_ROOT": str(kit_copy.root), "LAB_BUILD_DIR": str(kit_copy.build)}
    grader = subprocess.Popen([kit_copy.program, "grade", "01", "--tree", tree],
                              env={**os.environ, **folders}, stdout=subprocess.DEVNULL)
    end = pipe_that_a_compiler_reads(pipe)

    grader.send_signal(number)
    grader.wait()
    poll = select.poll()
    poll.register(end, 0)
    is_gone = poll.poll(2000)
    os.close(end)
    assert is_gone


def test_a_file_that_is_a_loop_of_links_is_missing(kit_copy, tree):
    (tree / COMPACT_QUEUE).unlink()
    (tree / COMPACT_QUEUE).symlink_to("compact_free_queue.cpp")
    outcome = kit_copy.lab("grade", "01", "--tree", tree)
    outcome.expect(GRADED, "compact_free_queue.cpp (a loop of symbolic links)")


def test_a_tree_that_is_a_loop_of_links_is_refused(kit_copy):
    loop = kit_copy.root / "loop"
    loop.symlink_to("loop")
    kit_copy.lab("grade", "01", "--tree", loop).expect(USAGE, "there is no folder")


def test_together_links_what_is_in_the_tree_now(kit_copy, tree):
    text = (tree / QUEUE).read_text()
    stub = re.sub(r"(::popleft\(.*\{\n)(?:.*\n)*?\}\n", r'\1  KV_TODO("1.3 popleft");' "\n}\n",
                  text, count=1)
    (tree / QUEUE).write_text(stub)
    outcome = kit_copy.lab("grade", "02", "--together", "--tree", tree)
    outcome.expect(GRADED, "needs 1.3 popleft, which is not written", "total 100/100")


@pytest.mark.parametrize("origin, arguments", [
    (["https://host/a.git", "--origin-commit", "HEAD"], "https://host/a.git 01 --commit HEAD"),
    (["$(x) y"], "'$(x) y' 01"),
])
def test_the_command_to_compare_can_be_pasted_into_a_shell(kit_copy, tree, origin, arguments):
    outcome = kit_copy.lab("grade", "01", "--tree", tree, "--origin", *origin)
    outcome.expect(GRADED, f"./lab diff {arguments} --yes, then read")


def test_a_finished_lab_may_lack_a_file_that_gives_no_points(kit_copy, tree):
    (tree / COMPACT_QUEUE).unlink()
    outcome = kit_copy.lab("grade", "01", "--tree", tree)
    outcome.expect(GRADED, "graded as untouched",
                   f"compare: ./lab diff '{tree}' 01, then read labs/{LAB}/README.md, "
                   '"Two diffs"')


def test_a_copy_of_a_contract_with_another_result_is_shown(kit_copy, tree):
    shutil.copy(ROOT / "labs" / HEADER, tree / HEADER)
    replace_in(tree / HEADER, "KVCacheBlock* popleft();", "KVCacheBlock& popleft();")
    outcome = kit_copy.lab("grade", "01", "--tree", tree)
    outcome.expect(GRADED, "yours:    KVCacheBlock& popleft();")


def test_a_file_that_does_not_compile_is_graded(kit_copy, tree):
    (tree / QUEUE).write_text('#include "nowhere.h"\n')
    kit_copy.lab("grade", "01", "--tree", tree).expect(GRADED, "does not compile")


@pytest.mark.parametrize("name", ["Lab 98", "98", "98-", "98-two--hyphens", "../98-outside"])
def test_a_bad_name_is_refused(kit_copy, name):
    kit_copy.lab("new-lab", name).expect(USAGE, f'"{name}" is not a name for a lab')


def test_a_lab_that_exists_is_refused(kit_copy):
    kit_copy.lab("new-lab", "01-other").expect(USAGE, "lab 01 exists already")


def test_a_new_lab_can_be_graded(kit_copy):
    outcome = kit_copy.lab("new-lab", "98-made-up")
    outcome.expect(GRADED, "added 98-made-up to labs/manifest.json")
    shutil.copy(ROOT / ".clang-format", kit_copy.root)
    for group in ["texts", "mirrors"]:
        kit_copy.lab("test", "--only", group).expect(GRADED, ", 0 failed")

    first = "next: write step 98.1 first_step in starter/98-made-up/made_up.cpp"
    kit_copy.lab("grade", "98").expect(GRADED, first)
    kit_copy.lab("grade", "98", "--tree", "solution").expect(GRADED, "100/100")


def test_a_stub_that_was_deleted_can_be_put_back(kit_copy):
    (kit_copy.root / "starter" / QUEUE).unlink()
    kit_copy.lab("grade", "01").expect(GRADED, "git checkout --")
