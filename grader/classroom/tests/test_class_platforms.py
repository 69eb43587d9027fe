"""./lab class with the tables of Canvas and Moodle, with pairs and with what is decided by hand"""

from types import SimpleNamespace

import pytest

from kit import copy_lab, lab_of
from platforms import feedback_in_moodle, grades_in_canvas, grades_in_moodle, lines_of
from submissions import SmallClass, grade_class, rows_of

LAB = lab_of("01")
CANVAS = ("Student,ID,SIS User ID,SIS Login ID,Section,Essay (17)\n"
          "    Points Possible,,,,,10\n"
          '"Lovelace, Ada",340934,12345,ada@x.org,A,9\n'
          '"Turing, Alan",340935,00406,alan@x.org,B,8\n'
          '"Hopper, Grace",340936,34567,grace@x.org,B,\n')
TWO_NAMES = ("LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Essay (17)\n"
             "    Points Possible,,,,,,10\n"
             "Lovelace,Ada,340934,12345,ada@x.org,A,9\n")
MOODLE = ('Identifier,"Full name","Email address",Status,Grade,"Maximum grade",'
          '"Grade can be changed","Last modified (grade)","Feedback comments"\n'
          "Participant 20021,Grace Hopper,grace@x.org,Submitted,,50.00,Yes,-,\n"
          "Participant 20022,Ada Lovelace,ada@x.org,-,7.00,50.00,Yes,-,\n")
PEOPLE = "id,name\n20026,Ada\n20027,Alan\n20028,Grace\n"


@pytest.fixture(scope="module")
def graded(kit):
    folder, out = kit.new_folder("class-platforms"), kit.new_folder("class-platforms-results")
    copy_lab(LAB, folder / "ada")
    grade_class(kit, folder, out, "--labs", "01")
    return SimpleNamespace(folder=folder, out=out)


@pytest.fixture
def small(kit, graded):
    return SmallClass(kit, graded)


def canvas_of(small):
    students = {"12345": "340934", "00406": "340935", "34567": "340936"}
    return grades_in_canvas(small.out / "canvas.csv", students)


def test_canvas_finds_each_student_by_either_id(small):
    small.add_reported("lovelaceada_340934_208490284_lab", score=90, extra=2)
    small.add_reported("hopper-34567", score=80, extra=0)
    small.run(CANVAS)
    assert canvas_of(small) == {"340934": ("90", "2"), "340935": ("0", "0"), "340936": ("80", "0")}
    line = lines_of(small.out / "canvas.csv")[1]
    assert [line[name] for name in ["Student", "SIS User ID", "SIS Login ID", "Section"]] == [
        "Lovelace, Ada", "12345", "ada@x.org", "A"]


def test_canvas_may_write_a_name_in_two_columns(small):
    small.add_reported("lovelaceada_340934_208490284_lab", score=90, extra=2)
    small.run(TWO_NAMES)
    assert canvas_of(small) == {"340934": ("90", "2")}
    assert lines_of(small.out / "canvas.csv")[1]["Student"] == "Lovelace, Ada"


def test_an_id_that_has_lost_its_zeros_is_named(small):
    small.add_reported("turing_406", score=90, extra=2)
    said = "406 may be 00406, of Turing, Alan, with other zeros"
    assert said in small.run(CANVAS)
    assert said in rows_of(small.out / "scores.csv")["turing_406"]["note"]


def test_moodle_gets_its_worksheet_back(small):
    small.add_reported("Grace Hopper_20021_assignsubmission_file", score=90, extra=2)
    output = small.run(MOODLE)
    assert "for Moodle: " in output and not (small.out / "canvas.csv").exists()
    grades = grades_in_moodle(small.out / "moodle.csv")
    # Half of our points are Moodle's maximum.
    assert grades["20021"] == ("45", "90 of 100 core points, 2 extra")
    assert grades["20022"][0] == "0"


def test_moodle_gets_the_feedback_of_each_person(small):
    small.add_reported("Grace Hopper_20021_assignsubmission_file", score=90, extra=2)
    small.run(MOODLE.replace("Grace Hopper", "Grace_M Hopper"))
    files = feedback_in_moodle(small.out / "moodle-feedback.zip")
    assert list(files) == ["20021"]
    assert files["20021"]["feedback.txt"].startswith("PagedLab 01: 90 of 100 core points, 2 extra")


def test_a_table_has_a_text_for_each_student(small):
    small.add_reported("Grace Hopper_20021_assignsubmission_file", score=90, extra=2)
    small.run(MOODLE)
    line = lines_of(small.out / "to-students.csv")[0]
    assert (line["id"], line["mail"]) == ("20021", "grace@x.org")
    assert "lab 01  Free queue: " in line["text"]


def by_hand(kit, text):
    file = kit.build / "by-hand.csv"
    file.write_text(f"id,points,hours,reason\n{text}")
    return ["--by-hand", file]


def grades_of(small):
    return {line["SIS User ID"]: line["PagedLab 01 core"]
            for line in lines_of(small.out / "canvas.csv")[1:]}


def test_a_pair_has_one_work_and_both_have_its_points(small):
    small.add_reported("20026_20027", score=90, extra=2)
    assert "more than one" in small.run(PEOPLE)
    small.run(PEOPLE, "01", "--pairs")
    assert grades_of(small) == {"20026": "90", "20027": "90", "20028": "0"}
    row = rows_of(small.out / "scores.csv")["20026_20027"]
    assert (row["id"], row["name"], row["counts"]) == ("20026 and 20027", "Ada and Alan", "yes")


@pytest.mark.parametrize("points, grade", [("+5", "95"), ("-90.5", "0"), ("77.5", "77.5")])
def test_points_by_hand_have_a_reason_and_stay_over_a_second_run(kit, small, points, grade):
    small.add_reported("20026", score=90, extra=2)
    for _ in range(2):
        output = small.run(PEOPLE, "01", *by_hand(kit, f"20026,{points},,a talk about 1.4\n"))
        assert grades_of(small)["20026"] == grade
        assert f"by hand: {points} core points (a talk about 1.4)" in output
    assert "(a talk about 1.4)" in lines_of(small.out / "to-students.csv")[0]["text"]
    assert rows_of(small.out / "scores.csv")["20026"]["score"] == "90"


def test_work_without_a_score_can_get_points_by_hand(kit, small):
    small.add_unreadable("20026")
    small.run(PEOPLE, "01", *by_hand(kit, "20026,60,,read on paper\n"))
    assert grades_of(small)["20026"] == "60"


@pytest.mark.parametrize("line, says", [
    ("20026,5,,\n", "20026 needs a reason"), ("9,5,,why\n", "the id 9 is not in the roster"),
    ("20026,five,,why\n", 'points of 20026 is "five"'), ("20026,5\n", "needs id,points,hours")])
def test_what_is_no_decision_is_refused(kit, small, line, says):
    small.add_reported("20026", score=90, extra=2)
    small.refuse(PEOPLE, says, *by_hand(kit, line))


LATE = "id,name,hours_late\n20026,Ada,30\n20027,Alan,\n20028,Grace,10\n"


def test_an_extension_is_not_late(kit, small):
    small.add_reported("20026", score=90, extra=2)
    small.run(LATE, "01", "--late", "24:0.5", *by_hand(kit, "20026,,10,ill\n"))
    assert grades_of(small)["20026"] == "45"
    small.run(LATE, "01", "--late", "24:0.5", *by_hand(kit, "20026,,30,ill\n"))
    assert grades_of(small)["20026"] == "90"


def test_the_grace_of_a_term_is_used_up(kit, small):
    small.add_reported("20026", score=90, extra=2)
    term = kit.build / "term.csv"
    term.write_text("id,labs,hours\n20026,02,40\n20026,01,1\n")
    for _ in range(2):
        output = small.run(LATE, "01", "--late", "24:0.5", "--grace", f"48:{term}")
        assert grades_of(small)["20026"] == "45"  # 22 of 30 hours are late
        assert "grace: 8 hours, 0 are left for the term" in output
        assert term.read_text() == "id,labs,hours\n20026,01,8\n20026,02,40\n20028,01,10\n"


def test_the_page_for_the_lecture_names_nobody(small):
    small.add_reported("20026", score=90, extra=2)
    small.run(PEOPLE)
    page = (small.out / "lecture.html").read_text()
    assert "How far" in page and not [name for name in ["20026", "Ada", "Grace"] if name in page]


def test_what_grading_again_changes_is_listed(kit, graded):
    file = graded.folder / "ada" / LAB.folder / LAB.files[0]
    file.write_text(file.read_text() + "\n// again\n")
    assert "points changed: 0 of 1 (0 up, 0 down)\n" in grade_class(
        kit, graded.folder, graded.out, "--labs", "01").output
    copy_lab(LAB, graded.folder / "ada", "solution")
    output = grade_class(kit, graded.folder, graded.out, "--labs", "01").output
    assert "points changed: 1 of 1 (1 up, 0 down)\n    ada: 100 +" in output
    assert ", before 0 +0\n" in output and "    ada: graded before: 0 +0 on 20" in output
