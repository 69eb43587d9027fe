"""./lab class over a term: late work, several submissions of one person, a second grading"""

import json
from types import SimpleNamespace

import pytest

from kit import USAGE, copy_lab, lab_of
from submissions import SmallClass, grade_class, read_row, rows_of

LAB = lab_of("01")
HEAD = "id,name,hours_late\n"
WITHOUT_HOURS = "id,name\n12345,Ada\n"


@pytest.fixture(scope="module")
def graded(kit):
    """Of stubs, which need no compiler."""
    folder, out = kit.new_folder("class-of-two"), kit.new_folder("results-of-two")
    for name in ("ada", "bob"):
        copy_lab(LAB, folder / name)
    grade_class(kit, folder, out, "--labs", "01")
    return SimpleNamespace(folder=folder, out=out)


@pytest.fixture
def small(kit, graded):
    return SmallClass(kit, graded)


@pytest.fixture
def three(small):
    """The first has the most extra points, the second the most core points."""
    for name, score, extra in (("12345-1", 70, 9), ("12345-9", 90, 1), ("12345-10", 80, 5)):
        small.add_reported(name, score=score, extra=extra)
    return small


def grade_in_canvas(small, id):
    line = next(line for line in small.canvas().splitlines() if f",{id}," in line)
    return tuple(line.split(",")[-2:])


@pytest.mark.parametrize("keep, grade, counted", [
    ("best", ("90", "1"), "12345-9"), ("last", ("80", "5"), "12345-10")])
def test_one_of_several_submissions_counts(three, keep, grade, counted):
    output = three.run(WITHOUT_HOURS, "01", "--keep", keep)
    assert grade_in_canvas(three, 12345) == grade
    rows = rows_of(three.out / "scores.csv")
    assert [name for name, row in rows.items() if row["counts"] == "yes"] == [counted]
    assert rows[counted]["factor"] == "1" and rows["12345-1"]["factor"] == ""
    others = ", ".join(name for name in sorted(rows) if name != counted)
    assert f"    {others}: does not count, but {counted} does\n" in output


def test_without_a_rule_none_of_them_counts(three):
    assert "say which counts with --keep" in three.run(WITHOUT_HOURS)
    assert grade_in_canvas(three, 12345) == ("", "")


def test_of_the_same_core_points_more_extra_points_are_better(small):
    for name, extra in (("12345-a", 3), ("12345-b", 4), ("12345-c", 4)):
        small.add_reported(name, score=80, extra=extra)
    small.run(WITHOUT_HOURS, "01", "--keep", "best")
    assert rows_of(small.out / "scores.csv")["12345-b"]["counts"] == "yes"


# The best is not known before each has a score; the last is known.
@pytest.mark.parametrize("keep, grade", [("best", ("", "")), ("last", ("80", "5"))])
def test_a_submission_without_a_score_can_be_the_best(three, keep, grade):
    three.add_unreadable("12345-2")
    output = three.run(WITHOUT_HOURS, "01", "--keep", keep)
    assert grade_in_canvas(three, 12345) == grade
    assert ("which submission of this person counts is open" in output) == (keep == "best")


@pytest.mark.parametrize("hours, factor, grade", [
    ("", "1", ("85", "3")), ("0", "1", ("85", "3")), ("0.25", "0.9", ("76.5", "2.7")),
    ("24", "0.9", ("76.5", "2.7")), ("24.01", "0.5", ("42.5", "1.5")), ("72.1", "0", ("0", "0"))])
def test_late_work_counts_as_the_policy_says(small, hours, factor, grade):
    small.add_reported("12345", score=85, extra=3)
    output = small.run(HEAD + f"12345,Ada,{hours}\n", "01", "--late", "24:0.9,72:0.5")
    assert grade_in_canvas(small, 12345) == grade
    row = rows_of(small.out / "scores.csv")["12345"]
    assert (row["score"], row["extra"], row["factor"]) == ("85", "3", factor)
    assert (f"12345: late: {factor} of the points count" in output) == (factor != "1")


def test_a_group_can_be_beside_the_hours(small):
    small.add_reported("12345", score=50, extra=0)
    small.run("id,name,group,hours_late\n12345,Ada,A,2\n", "01", "--late", "24:.5")
    assert small.canvas().endswith("\nAda,,12345,,A,25,0\n")


POLICIES = ["24", "24:", "24:2", "24:-1", "24:0.9,24:0.5", "72:0.5,24:0.9", "x:0.9",
            "24:0.9;72:0.5", "24:0.9 "]


@pytest.mark.parametrize("policy", POLICIES)
def test_what_is_no_policy_is_refused(small, policy):
    small.add_reported("12345", score=85, extra=3)
    small.refuse(HEAD + "12345,Ada,1\n", "is no list of hours and factors", "--late", policy)


@pytest.mark.parametrize("roster, said, options", [
    (HEAD + "12345,Ada,1\n", "say what they cost, as --late", []),
    (WITHOUT_HOURS, "--late needs a last column hours_late", ["--late", "24:0.9"]),
    (HEAD + "12345,Ada,soon\n", 'hours_late is "soon"; write a number', ["--late", "24:0.9"]),
    (HEAD + "12345,Ada,-1\n", 'hours_late is "-1"; write a number', ["--late", "24:0.9"]),
    ("id,name,late\n12345,Ada,1\n", "the first line has to be", ["--late", "24:0.9"]),
    ("id,hours_late\n12345,1\n", "the first line has to be", ["--late", "24:0.9"]),
    ("", "--roster people.csv", ["--late", "24:0.9"]),
    ("", "--roster people.csv", ["--keep", "best"]),
    (HEAD, "--keep", ["--keep", "first"]),
    (HEAD, "--regrade eve: no submission has this name", ["--regrade", "eve"])])
def test_nothing_is_passed_over_in_silence(small, roster, said, options):
    small.add_reported("12345", score=85, extra=3)
    small.refuse(roster, said, *options)


def test_a_second_grading_keeps_the_first(kit, graded):
    first = read_row(graded.out, "ada")
    options = ["--labs", "01", "--regrade", "ada"]
    # The same points again are no news.
    assert "graded before" not in grade_class(kit, graded.folder, graded.out, *options).output
    kept = graded.out / "history/ada-1.json"
    assert json.loads(kept.read_text()) == first
    grade_class(kit, graded.folder, graded.out, *options)
    earlier = read_row(graded.out, "ada")["earlier"]
    assert [grade["date"] for grade in earlier][0] == first["report"]["date"] and len(earlier) == 2
    assert [file.name for file in sorted(kept.parent.iterdir())] == ["ada-1.json", "ada-2.json"]
    assert read_row(graded.out, "bob")["earlier"] == []


def test_work_that_is_handed_in_again_keeps_what_it_had_before(kit, graded):
    file = graded.folder / "bob" / LAB.folder / LAB.files[0]
    file.write_text(file.read_text() + "\n// again\n")
    grade_class(kit, graded.folder, graded.out, "--labs", "01")
    row = rows_of(graded.out / "scores.csv")["bob"]
    kept = json.loads((graded.out / "history/bob-1.json").read_text())
    assert not kept["source_digest"].startswith(row["digest"])


@pytest.mark.parametrize("key", ["steps", "tests", "diagnosis"])
def test_a_row_that_lacks_a_value_is_named(kit, graded, key):
    row = read_row(graded.out, "ada")
    del row["report"]["labs"][0][key]
    file = graded.out / "submissions/ada.json"
    file.write_text(json.dumps(row))
    outcome = kit.lab("class", graded.folder, "--out", graded.out, "--labs", "01")
    outcome.expect(USAGE, "ada.json is no row of ./lab class", f"key '{key}' not found",
                   "remove it, and the submission is graded again")
    file.unlink()
    grade_class(kit, graded.folder, graded.out, "--labs", "01")


def test_labs_of_which_the_same_is_said_share_a_line(kit):
    folder, out = kit.new_folder("one-lab"), kit.new_folder("one-lab-results")
    copy_lab(LAB, folder / "ada")
    output = grade_class(kit, folder, out, "--labs", "01,02,03").output
    assert "  lab 01 is not started; labs 02, 03 are not submitted\n" in output
    assert '"labs 02, 03 are not submitted"' in (out / "index.html").read_text()
