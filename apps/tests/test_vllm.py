"""./lab vllm: what is run of whose labs, and what is expected is true of the solution"""

import json
import os
import sys

import pytest

import vllm_folder
import expected
import verdicts
from kit import BROKEN, GRADED, NOT_FULL, USAGE, copy_lab, copy_labs, lab_of, run
from runner.run_functions import Record

VERSIONS = ["0.22.1", "0.33.0"]


@pytest.fixture(scope="module")
def vllm(kit):
    """The command."""
    def command(*words, tree="solution", **more):
        return kit.lab("vllm", *words, "--tree", tree, **more)
    return command


@pytest.fixture(scope="module")
def both(kit):
    """The files of both releases, by version."""
    return {version: vllm_folder.provide(kit, version) for version in VERSIONS}


@pytest.mark.parametrize("words, sentence", [
    (["05"], "lab: vLLM's tests of what lab 05 is about need a GPU; labs 01, 03, 04 and 07 have"),
    (["06"], "lab: vLLM's tests of what lab 06 is about need a GPU; labs 01, 03, 04 and 07 have"),
    (["02"], "calls lab 02 alone; those of lab 03 call both: ./lab vllm 03"),
    (["08"], 'lab: there is no lab "08"; the labs are 01-free-queue, '),
    (["01", "03"], "lab: The following argument was not expected: 03; run ./lab vllm --help"),
    (["--version", "9"], "lab: --version: 9 not in {0.22.1,0.33.0}; run ./lab vllm --help"),
    (["--traces", "3"], "lab: --traces and --seed are about requests that --scheduler makes; add"),
    (["--seed", "0"], "lab: --traces and --seed are about requests that --scheduler makes; add"),
    (["--scheduler", "--all"], "lab: --all lists functions, and --scheduler runs none; give one"),
    (["--scheduler", "--traces", "0"], "lab: --traces: Value 0 not in range"),
    (["--scheduler", "--seed", "-1"], "lab: --seed: a seed is a number from 0;"),
])
def test_wrong_use_is_one_sentence(vllm, words, sentence):
    refused = vllm(*words)
    refused.expect(USAGE, sentence)
    assert len(refused.output.splitlines()) == 1


def test_the_untouched_starter_has_no_lab_that_is_done(vllm):
    refused = vllm(tree="starter")
    assert refused.output == ("lab: no lab of starter is done; with its number, ./lab vllm takes a "
                              "lab as it is: ./lab vllm 01\n")
    refused.expect(USAGE)


def test_a_folder_without_labs_is_refused(kit, vllm):
    vllm(tree=kit.new_folder("empty")).expect(USAGE, "holds")
    vllm(tree="/nowhere").expect(USAGE, 'lab: there is no folder "/nowhere"; --tree takes starter,')


def test_without_python_it_says_how_to_get_it(vllm):
    vllm(env={"PATH": "/nowhere"}).expect(
        USAGE, "lab: missing: python3. To get it: apt-get install python3")


def test_the_help_says_what_the_exit_codes_mean(kit):
    kit.lab("vllm", "--help").expect(GRADED, "0 what is expected of the solution", "--scheduler")


@pytest.mark.parametrize("words, sentence", [
    (["--version", "3"], "--version: invalid choice: '3'"),
    (["--version", "0.22.1"], "the following arguments are required: --folder"),
])
def test_the_part_in_python_refuses_wrong_words_too(words, sentence):
    run([sys.executable, vllm_folder.FOLDER / "run.py", *words]).expect(USAGE, sentence)


@pytest.mark.full
@pytest.mark.parametrize("version, num_passing, num_functions", [
    ("0.22.1", 56, 58), ("0.33.0", 67, 69)])
def test_the_solution_is_as_expected(vllm, both, version, num_passing, num_functions):
    outcome = vllm("--version", version)
    outcome.expect(GRADED, f"vLLM {version}: its own unit tests, on the classes of solution, "
                   "labs 01, 03, 04 and 07\n",
                   f"{num_passing} of {num_functions} functions pass, 2 decided in another way")
    outcome.expect_no("  fails  ", "  waits  ", "  crashes ")


@pytest.mark.full
def test_all_prints_the_functions_that_are_left_out_by_their_reasons(vllm, both):
    outcome = vllm("01", "--all")
    outcome.expect(GRADED, "5 of 5 functions pass. 56 more need what this course leaves out.\n")
    listed = outcome.output.partition("left out of this course\n")[2]
    for row in expected.read("0.22.1"):
        assert (f"  {row.why}\n" in listed and f" {row.function}\n" in listed) == (
            row.verdict == verdicts.LEFT_OUT)


@pytest.mark.full
def test_settings_of_the_user_change_nothing(vllm, both):
    settings = {"PYTHONOPTIMIZE": "2", "PYTHONSAFEPATH": "1", "PYTHONWARNINGS": "error",
                "PYTEST_ADDOPTS": "--no-such-option", "LC_ALL": "POSIX", "HOME": "/nowhere"}
    vllm("01", env=settings).expect(GRADED, "5 of 5 functions pass.")


@pytest.mark.full
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_report_that_cannot_be_written(kit, both):
    run(["bash", "-c", f"'{kit.program}' vllm 01 --tree solution > /dev/full"],
        {"LAB_ROOT": str(kit.root), "LAB_BUILD_DIR": str(kit.build)}).expect(
            BROKEN, "lab: the machine refuses what ./lab vllm needs: [Errno 28] No space left")


# Why another process: pytest runs in this one.
SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from classes.kit import Kit
from classes.stack import Stack
from runner import run_functions
tree, version, program, functions = json.loads(sys.argv[2])
stack = Stack(program)
for record in run_functions.each(tree, version, functions, Kit(stack, version).replaced(),
                                 lambda: stack.steps):
    print(json.dumps(record))
"""


def found_in_files(kit, tree, version, files):
    """What becomes of all their functions with the solution, listed or not."""
    program = kit.build / "lab07_stack/lab07_vllm"
    given = json.dumps([str(tree), version, str(program), files])
    outcome = run([sys.executable, "-c", SCRIPT, vllm_folder.FOLDER, given], timeout=1200)
    outcome.expect(0)
    records = [Record(*json.loads(line)) for line in outcome.output.splitlines()]
    return verdicts.by_function(records), {
        (record.file, record.function) for record in records
        if record.calls or record.error == "Needs" or record.outcome == "crashed"}


@pytest.mark.full
@pytest.mark.parametrize("version", VERSIONS)
def test_each_function_that_calls_a_step_is_listed(kit, vllm, both, version):
    vllm("01").expect(GRADED)  # builds the program
    table = expected.read(version)
    files = sorted({row.file for row in table})
    assert len(files) == 3
    found, callers = found_in_files(kit, both[version].tree, version, files)
    listed = {(row.file, row.function): row for row in table}
    assert listed.keys() <= found.keys() and callers <= listed.keys()
    assert [row for name, row in listed.items()
            if row.verdict == verdicts.LEFT_OUT and found[name][0].word == verdicts.PASSES] == []


@pytest.mark.full
def test_of_a_student_who_has_two_labs_the_functions_of_these_are_run(kit, vllm, both):
    tree = kit.new_folder("two labs")
    copy_labs(tree)
    for number in "01", "02":
        copy_lab(lab_of(number), tree, "solution")
    outcome = vllm(tree=tree)
    outcome.expect(GRADED, f"lab: lab 03 is not done in {tree}, so ./lab vllm takes the solution's",
                   f"on the classes of {tree}, lab 01\n", "5 of 5 functions pass")
    outcome.expect_no("lab 03, the block pool")


@pytest.mark.full
def test_a_step_that_is_not_written_has_the_words_of_the_kit(vllm, both):
    outcome = vllm("01", tree="starter")
    outcome.expect(NOT_FULL, "0 of 5 functions pass, 5 wait for a step")
    lines = outcome.output.splitlines()
    told = [lines[i + 1].strip() for i, line in enumerate(lines) if line.startswith("  waits ")]
    assert len(told) == 5
    for line in told:
        assert line in {"lab 01, step 1.1: get_all_free_blocks is not written yet",
                        "lab 01, step 1.6: append_n is not written yet"}


@pytest.mark.full
@pytest.mark.parametrize("version", VERSIONS)
def test_vllms_scheduler_decides_the_same_over_the_solution(vllm, both, version):
    outcome = vllm("--scheduler", "--version", version, "--seed", "3")
    outcome.expect(GRADED, f"vLLM {version}'s own Scheduler over the KV cache manager of solution:",
                   "20 traces of seed 3, 1200 steps, ", " lines as over vLLM's own manager: 0 diff")
    outcome.expect_no(" 0 preemptions", ", 0 tokens of prefix hits", ", 0 calls of your code")
