"""./lab vllm: what becomes of a test function, whatever it does"""

import json
import sys
import time
from pathlib import Path

import pytest

import vllm_folder  # noqa: F401
from kit import run as run_program
from runner.run_functions import Record

FILE = "tests/v1/core/test_x.py"
TESTS = '''
import os
import subprocess
import time
from pathlib import Path

import pytest

from vllm.v1.request import NUMBER


def test_passes():
    assert NUMBER == 3


def helper(number):
    assert number == (
        4)


def test_fails():
    helper(NUMBER)


@pytest.mark.parametrize("number", [3, 4])
def test_cases(number):
    assert number == NUMBER


def test_ends_by_a_signal():
    os.kill(os.getpid(), 11)


def test_exits():
    os._exit(5)


def test_hangs():
    while True:
        pass


def test_is_skipped():
    pytest.skip("no tensor")


def test_leaves_a_process():
    child = subprocess.Popen(["sleep", "600"])
    Path(os.environ["LEFT"]).write_text(str(child.pid))


def test_prints():
    print("noise " * 1000)
    os.write(1, b"noise")
'''


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A small release. No pytest is beside it, so the installed one is taken."""
    folder = tmp_path_factory.mktemp("vllm")
    files = {FILE: TESTS, "tests/v1/core/conftest.py": "raise RuntimeError('not read')\n",
             "vllm/__init__.py": "", "vllm/v1/__init__.py": "",
             "vllm/v1/request.py": "NUMBER = 3\n",
             "tests/v1/core/test_broken.py": "import no_such_module\n"}
    for name, text in files.items():
        file = folder / "vllm-0.22.1" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder / "vllm-0.22.1"


# Why a process of its own: this one has a pytest that runs.
SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from runner import run_functions
tree, functions, limit, replaced, calls = json.loads(sys.argv[2])
run_functions.LIMIT = limit
try:
    for record in run_functions.run(tree, "0.22.1", functions, replaced, lambda: calls):
        print(json.dumps(record))
except run_functions.NotRun as problem:
    sys.exit(f"not run: {problem}")
"""


@pytest.fixture
def attempt(tree):
    """How it ends and all that it prints."""
    def attempt(*functions, limit=20, replaced=None, calls=(), file=FILE, env=None):
        names = [f"{file}::{function}" for function in functions]
        given = json.dumps([str(tree), names, limit, replaced, calls])
        return run_program([sys.executable, "-c", SCRIPT, vllm_folder.FOLDER, given], env)
    return attempt


@pytest.fixture
def run(attempt):
    """The records of these functions."""
    def run(*functions, **settings):
        outcome = attempt(*functions, **settings)
        outcome.expect(0)
        return [Record(*json.loads(line)) for line in outcome.output.splitlines()]
    return run


def test_one_that_passes(run):
    [record] = run("test_passes")
    assert record[:4] == (FILE, "test_passes", "", "passed")
    assert record[5:] == ("", "", "", 0, [])


def test_one_that_fails_has_its_line_and_the_innermost_statement(run):
    [record] = run("test_fails")
    assert (record.outcome, record.error) == ("failed", "AssertionError")
    assert record.text.startswith("assert 3 == 4")
    assert record.statement == "assert number == (\n        4)"
    assert TESTS.splitlines()[record.line - 1] == "    helper(NUMBER)"


def test_cases_of_one_function(run):
    assert [(record.case, record.outcome) for record in run("test_cases")] == [
        ("3", "passed"), ("4", "failed")]


def test_what_a_case_has_called_is_in_its_record(run):
    [record] = run("test_passes", calls=["1.2", "1.1"])
    assert record.calls == ["1.1", "1.2"]


def test_one_that_crashes_and_one_that_exits_cost_no_other(run):
    records = run("test_ends_by_a_signal", "test_exits", "test_passes")
    assert {record.function: (record.outcome, record.error) for record in records} == {
        "test_ends_by_a_signal": ("crashed", "SIGSEGV"), "test_exits": ("crashed", "exit 5"),
        "test_passes": ("passed", "")}


def test_one_that_does_not_end(run):
    passed, hung = run("test_hangs", "test_passes", limit=1)
    assert (hung.outcome, hung.error, hung.text) == (
        "crashed", "TimeoutError", "no end after 1 s")
    assert passed.outcome == "passed"


def test_one_that_is_skipped(run):
    [record] = run("test_is_skipped")
    assert record.outcome == "skipped" and "no tensor" in record.text


def test_processes_that_are_left_are_ended(run, tmp_path):
    left = tmp_path / "left"
    [record] = run("test_leaves_a_process", env={"LEFT": str(left)})
    assert record.outcome == "passed"
    for _ in range(100):
        if not is_alive(int(left.read_text())):
            return
        time.sleep(0.05)
    pytest.fail("it is still there")


def is_alive(number):
    """A process that nobody has waited for is not alive."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_settings_of_the_user_are_ignored(run):
    env = {"PYTEST_ADDOPTS": "--no-such-option", "PYTEST_PLUGINS": "no_such_plugin"}
    assert [record.outcome for record in run("test_passes", env=env)] == ["passed"]


def test_nothing_is_printed_and_nothing_is_written_into_the_tree(attempt, tree):
    before = sorted(tree.rglob("*"))
    outcome = attempt("test_prints")
    outcome.expect(0, '"passed"')
    outcome.expect_no("noise", "session starts")
    assert sorted(tree.rglob("*")) == before


def test_functions_and_files_that_are_not_there(attempt):
    attempt("test_passes", "test_gone").expect(
        1, f"not run: The tests of vLLM 0.22.1 do not run: there is no {FILE}::test_gone")
    attempt("test_a", file="tests/v1/core/test_gone.py").expect(
        1, "not run: vLLM 0.22.1 has no tests/v1/core/test_gone.py in ")


def test_a_file_that_cannot_be_imported(attempt):
    attempt("test_a", file="tests/v1/core/test_broken.py").expect(
        1, "do not run: tests/v1/core/test_broken.py: ", "No module named 'no_such_module'")


def test_an_object_is_put_in_the_place_of_a_releases(run):
    [record] = run("test_passes", replaced={"vllm.v1.request": {"NUMBER": 4}})
    assert (record.outcome, record.text) == ("failed", "assert 4 == 3")
