"""systems: what the table of docs/getting-started.md says of a journey"""

import shutil
import sys

import pytest

from kit import ROOT, run, write_program

SYSTEMS = ROOT / "tests/systems"
sys.path.insert(0, str(SYSTEMS))

from table import merged, rows_of, sentence  # noqa: E402

RIGHT = {
    "grade": "total 0/700 core",
    "replay": "        10 432    0.6063             0",
    "chat": "It was a truth, and they were all very happy to say so.",
}
WRONG = {"replay": "        10 432    0.0000             0", "chat": "you> "}


def journey(folder, answers, *rows):
    """Of a kit whose ./lab prints these answers, and has no others."""
    place = folder / "tests/systems"
    place.mkdir(parents=True)
    shutil.copy(SYSTEMS / "journey.sh", place)
    cases = "\n".join(f"{name}) printf '%s\\n' '{text}' ;;" for name, text in answers.items())
    write_program(folder / "lab", f"#!/bin/sh\ncase $1 in\n{cases}\n*) exit 3 ;;\nesac\n")
    return run(["sh", place / "journey.sh", *rows], {"JOURNEY_LOG": str(folder / "log")})


def results(outcome):
    return {row[0]: row[1] for row in rows_of(outcome.exit_code, outcome.output)}


def test_a_row_is_ok_if_the_right_words_are_printed(tmp_path):
    outcome = journey(tmp_path, RIGHT, *RIGHT)
    assert results(outcome) == dict.fromkeys(RIGHT, "ok")
    assert outcome.exit_code == 0


def test_a_row_with_other_words_or_another_exit_code_has_failed(tmp_path):
    answers = WRONG | {"generate": "1\t2'; echo '3\t4'; exit '7"}
    found = results(journey(tmp_path, answers, *answers, "bench"))
    assert list(found) == ["generate", "chat", "replay", "bench"]
    assert all(result.startswith("failed: ") for result in found.values())
    assert found["generate"] == "failed: exit 7, 3 4"


def test_a_row_that_does_not_exist_is_refused(tmp_path):
    outcome = journey(tmp_path, RIGHT, "grade", "slove")
    outcome.expect(2, 'there is no row "slove"; the rows are grade step')
    assert rows_of(0, outcome.output)[0][0] == "journey"


@pytest.mark.parametrize("code, output", [(137, "grade\tok\t1\t2.0\t4\nKilled\n"), (1, "")])
def test_a_journey_that_does_not_end_is_not_taken_for_a_good_one(code, output):
    assert "**journey** failed: " in sentence(rows_of(code, output), "")


def test_the_sentence_has_the_total_and_the_costs():
    rows = rows_of(0, "grade\tok\t72\t55.1\t4\nsolution\tok\t9\t8.0\t\nsimt\tnot run: no\t\t\t\n")
    assert sentence(rows, "total 600/600 core, +236/236 extra\n") == (
        "grade, solution 600/600 +236/236; **simt** not run: no; "
        "grade 72 s, 55.1 CPU s, 4 commands")


def test_a_new_row_replaces_those_of_its_compiler_and_no_other():
    def row(system, compiler, what="grade"):
        return [system, compiler, "", "", "root", what, ""]
    old = [row("B", "g++ 14.2.0"), row("B", "clang++ 19, libc++"),
           row("A", "clang++", "not run: x"), row("gone", "g++ 1")]
    titles = ["A", "B"]
    assert merged(old, [row("B", "g++ 15.1.0")], titles) == [
        old[2], old[1], row("B", "g++ 15.1.0")]
    assert merged(old, [row("A", "clang++ 19")], titles) == [row("A", "clang++ 19"), *old[:2]]
    # A mirror that cannot be reached today.
    assert merged(old, [row("B", "libc++", "not run: y")], titles) == [old[2], *old[:2]]
