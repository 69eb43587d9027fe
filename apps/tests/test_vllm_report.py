"""./lab vllm: the word for a function, and what is printed of it"""

from types import SimpleNamespace

import pytest

import vllm_folder  # noqa: F401
import report
import verdicts
from expected import Expected
from runner.run_functions import Record

FILE = "tests/v1/core/test_x.py"


def record_of(outcome, error="", **more):
    return Record(FILE, "test_x", more.pop("case", ""), outcome, error=error, **more)


@pytest.mark.parametrize("records, word, num_cases", [
    ([record_of("passed")], "passes", 1),
    ([record_of("passed"), record_of("failed", "AssertionError")], "fails", 2),
    ([record_of("failed", "ValueError"), record_of("crashed", "SIGSEGV")], "crashes", 2),
    ([record_of("failed", "Broken")], "crashes", 1),
    ([record_of("failed", "NotWritten"), record_of("failed", "ValueError")], "fails", 2),
    ([record_of("failed", "NotWritten"), record_of("passed")], "waits", 2),
    ([record_of("failed", "Needs"), record_of("passed")], "passes", 1),
    ([record_of("failed", "Needs"), record_of("skipped", "Skipped")], "left-out", 2),
])
def test_the_word_for_a_function_is_that_of_its_worst_case(records, word, num_cases):
    verdict = verdicts.of_function(records)
    assert (verdict.word, verdict.num_cases) == (word, num_cases)
    assert word == "passes" or verdict.case in records


def test_steps_of_a_function_are_in_the_order_of_their_numbers():
    records = [record_of("passed", calls=("1.11", "3.2")), record_of("passed", calls=("1.2",))]
    [(_, steps)] = verdicts.by_function(records).values()
    assert steps == ["1.2", "1.11", "3.2"]


WHY = "a reason"
DECIDED = Expected(FILE, "test_x", "01", "decided", WHY)
PASSING = Expected(FILE, "test_x", "01", "passes", "")


def report_of(capsys, records, row=PASSING, listed=False):
    left_out = Expected(FILE, "test_y", "--", "left-out", "several models")
    options = SimpleNamespace(all=listed)
    code = report.print_verdicts(options, [row, left_out], [row], verdicts.by_function(records))
    return code, capsys.readouterr().out


FAILED = record_of("failed", "AssertionError", text="assert 3 == 4", statement="assert a == b",
                   line=7, case="n3", calls=("1.2", "1.3"))


def test_the_report_of_one_that_passes(capsys):
    code, text = report_of(capsys, [record_of("passed"), record_of("passed")])
    assert code == 0 and text == (
        "lab 01, the free queue\n  passes   test_x (2 cases)\n\n"
        "1 of 1 functions pass. 1 more need what this course leaves out; --all lists them.\n")


def test_the_report_of_one_that_fails(capsys):
    code, text = report_of(capsys, [FAILED])
    assert code == 1 and (
        f"  fails    test_x\n           {FILE}:7, case n3\n           assert a == b\n"
        "           AssertionError: assert 3 == 4\n           it leans on steps 1.2, 1.3\n") in text
    assert "0 of 1 functions pass, 1 fail. " in text


def test_the_report_of_one_that_crashes(capsys):
    crashed = record_of("crashed", "TimeoutError", text="no end after 60 s")
    code, text = report_of(capsys, [crashed])
    assert code == 1 and "  crashes  test_x\n" in text
    assert "TimeoutError: no end after 60 s\n" in text
    assert "1 crash or do not end. " in text


def test_the_report_of_one_that_waits(capsys):
    waits = record_of("failed", "NotWritten", text="lab 01, step 1.3: popleft is not written yet")
    code, text = report_of(capsys, [waits])
    assert code == 1
    assert "  waits    test_x\n           lab 01, step 1.3: popleft is not written yet\n" in text
    assert "1 wait for a step. " in text


def test_the_report_of_one_that_is_decided_in_another_way(capsys):
    code, text = report_of(capsys, [FAILED], DECIDED)
    assert code == 0 and f"  decided  test_x\n           {WHY}\n" in text
    code, text = report_of(capsys, [record_of("crashed", "SIGSEGV")], DECIDED)
    assert code == 1 and "  crashes  test_x\n" in text
    code, text = report_of(capsys, [record_of("passed")], DECIDED)
    assert code == 0 and "  passes   test_x\n" in text


def test_what_is_left_out_is_listed_when_that_is_asked_for(capsys):
    code, text = report_of(capsys, [record_of("passed")], listed=True)
    assert code == 0 and "left out of this course\n  several models\n           test_y\n" in text
    assert text.endswith("1 more need what this course leaves out.\n")


def test_a_function_without_a_record_crashes(capsys):
    code, text = report_of(capsys, [])
    assert code == 1 and "  crashes  test_x\n" in text
