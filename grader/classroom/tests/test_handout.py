"""./lab handout: graded, opened, merged"""

import os
import re
import shutil

import pytest

from kit import GRADED, ROOT, USAGE, copy_lab, lab_of, labs, run
from leaks import files_in, history_of, leaks_in, secrets_of
from submissions import variations, write_variation
from texts import broken_links, links_of

LAB = lab_of("02")  # which a student works on


def git(folder, *arguments):
    return run(["git", "-C", folder, "-c", "user.name=Ada", "-c", "user.email=ada@localhost",
                *arguments])


def files_of(handout):
    return git(handout, "ls-files").output.splitlines()


class StudentsClone:
    def __init__(self, kit, handout):
        self.kit = kit
        self.root = kit.build / "handout-of-a-student"
        shutil.rmtree(self.root, ignore_errors=True)
        git(kit.build, "clone", "--quiet", handout, self.root).expect(0)
        self.own_file = self.root / "starter" / LAB.folder / LAB.files[0]
        self.solution = self.root / "solution" / LAB.folder

    def lab(self, *arguments, stdin=""):
        build = self.root / "build/lab"
        return self.kit.lab(*arguments, stdin=stdin,
                            env={"LAB_ROOT": str(self.root), "LAB_BUILD_DIR": str(build)})


def answers_of(lab):
    """What is typed to answer the predict questions of its README."""
    readme = (ROOT / "labs" / lab.folder / "README.md").read_text()
    answers = re.findall(r"^```(?:answer|counterexample) (\d+).*?\n(.*?)^```$", readme, re.M | re.S)
    return [text + "\n" for _, text in sorted(answers, key=lambda answer: int(answer[0]))]


def hours_of(num_labs):
    """The sum of "2-3" and "4-6" is "6\u20139 hours"."""
    hours = [lab.spec["hours"].split("-") for lab in labs()[:num_labs]]
    least, most = (sum(int(each[end]) for each in hours) for end in [0, -1])
    return f"{least}\u2013{most} hours"


@pytest.fixture(scope="module")
def handout(kit):
    folder = kit.build / "handout-for-students"
    shutil.rmtree(folder, ignore_errors=True)
    made = kit.lab("handout", folder, "--labs", "01-03", "--open", "01")
    made.expect(GRADED, "labs 01, 02, 03; open: 01")
    return folder


@pytest.fixture(scope="module")
def student(kit, handout):
    """A clone, in which the tests below work on lab 02."""
    return StudentsClone(kit, handout)


def test_no_line_of_a_closed_solution_is_in_it(handout):
    secrets = secrets_of([LAB, lab_of("03")], open_labs=[lab_of("01")])
    assert len(secrets) > 200
    assert leaks_in(files_in(handout), secrets) == {}
    assert leaks_in(history_of(handout), secrets) == {}


def test_it_has_what_a_student_reads_and_runs(handout):
    files = files_of(handout)
    makers = ["CONTRIBUTING.md", "docs/course/", "docs/dev/", "grader/classroom/",
              "grader/desk/tests/", "tests/", "labs/02-block-pool/bench/"]
    assert not [file for file in files if file.startswith(tuple(makers)) or "04-kv" in file]
    cases = [file for file in files if file.startswith("grader/proof/")]
    assert cases == [f"grader/proof/cases/{lab.folder}/signatures.json" for lab in labs()[:3]]
    for file in ["lab", "starter", "labs/01-free-queue/bench", "labs/02-block-pool/tests"]:
        assert (handout / file).exists()


def expect_first_report(readme, output):
    """README.md shows what `./lab grade` prints first, with "..." in place of some of it."""
    shown = re.search("^```\n(grading starter.*?)^```", readme, re.M | re.S)[1]
    parts = re.split(r"\w*\.\.\.", shown)
    assert len(parts) == 3
    for part in parts:
        assert part.strip("\n") in output


def expect_pages_of(handout, num_labs):
    """They are about the first labs, and their links lead somewhere."""
    readme = (handout / "README.md").read_text()
    assert hours_of(num_labs) in readme
    others = [word for lab in labs()[num_labs:]
              for word in [f"\nlab {lab.id}", f"| [{lab.id}", lab.folder]]
    for word in [*others, "./lab test", "./lab handout", "<!--", "LABS"]:
        assert word not in readme
    files = files_of(handout)
    assert ("docs/replay.md" in files) == (num_labs >= 4)
    assert "docs/getting-started.md" in files and "grader/classroom/docs/instructor.md" not in files
    pages = [file for file in files if file.endswith(".md")]
    texts = [(handout / page).read_text() for page in pages]
    assert not [text for text in texts if "\n<!-- end -->" in text]
    assert broken_links(handout, pages) == []
    assert sum(len(links_of(text)) for text in texts) > 100


def test_its_pages_are_about_its_labs(handout):
    expect_pages_of(handout, 3)


def test_the_untouched_handout_has_no_points_and_readme_shows_that(handout, student):
    untouched = student.lab("grade")
    untouched.expect(GRADED, "total 0/300")
    expect_first_report((handout / "README.md").read_text(), untouched.output)


def test_a_known_bug_is_named(student):
    bug = variations(LAB)[0]
    write_variation(LAB, bug, student.root / "starter")
    student.lab("grade", "02").expect(GRADED, f"looks like: {bug.sentence}")


def test_a_right_answer_to_a_closed_lab_gets_all_points(student):
    copy_lab(LAB, student.root / "starter", "solution")
    git(student.root, "commit", "--quiet", "--all", "-m", "lab 02").expect(0)
    student.lab("grade", "02").expect(
        GRADED, "total 100/100 core, +18/18 extra",
        "compare: when your course has opened the solution, ./lab diff 02")


def test_predict_can_be_answered(student):
    answers = answers_of(LAB)
    assert answers
    student.lab("predict", "02", stdin="".join(answers)).expect(GRADED, f"{len(answers)} of ")


@pytest.mark.parametrize("command, says", [
    ("diff 02 --yes", "of lab 02, which your course has not opened yet"),
    ("diff 03 --yes", "of lab 03, which your course has not opened yet"),
    ("bench 02", "has not opened yet"),
    ("grade 02 --sanitize", "has not opened yet"),
    ("grade 02 --tree solution", "has not opened yet"),
    ("test", "is for the whole kit"),
    ("handout elsewhere", "is for the whole kit")])
def test_a_handout_refuses(student, command, says):
    student.lab(*command.split()).expect(USAGE, says)


def test_an_own_copy_of_a_header_needs_the_solution_of_a_later_lab(student):
    header = LAB.spec["headers"][0]
    own = student.own_file.with_name(header)
    shutil.copy(ROOT / "labs" / LAB.folder / header, own)
    says = "your own copy of a header of lab 02 needs the solution of lab 03"
    student.lab("grade", "02").expect(USAGE, says)
    own.unlink()


def test_another_system_is_refused(student):
    system = f"{os.uname().sysname}-{os.uname().machine}"
    prebuilt = student.solution / "prebuilt"
    (prebuilt / system).rename(prebuilt / "Plan9-vax")
    student.lab("grade", "02").expect(USAGE, f"not for {system}")
    (prebuilt / "Plan9-vax").rename(prebuilt / system)


def test_an_opened_lab_is_merged_into_the_clone(kit, handout, student):
    opened = kit.lab("handout", handout, "--open", "02")
    opened.expect(GRADED, "labs 01, 02, 03; open: 01, 02")
    own = student.own_file.read_text()
    git(student.root, "pull", "--quiet", "--no-rebase", "--no-edit").expect(0)
    assert student.own_file.read_text() == own
    solution = ROOT / "solution" / LAB.folder / LAB.files[0]
    assert (student.solution / LAB.files[0]).read_text() == solution.read_text()
    assert not (student.solution / "prebuilt").exists()
    student.lab("diff", "02", "--yes").expect(GRADED, "2.3 touch: the same")


def test_the_same_handout_again_changes_nothing(kit, handout):
    kit.lab("handout", handout).expect(GRADED, "nothing has changed")


def test_a_lab_can_be_added_later(kit, handout):
    added = kit.lab("handout", handout, "--labs", "04")
    added.expect(GRADED, "labs 01, 02, 03, 04; open: 01, 02")
    expect_pages_of(handout, 4)
    report = kit.lab("grade", env={"LAB_ROOT": str(handout)})
    expect_first_report((handout / "README.md").read_text(), report.output)


def test_a_folder_that_the_kit_has_no_more_leaves_the_handout(kit, handout):
    (handout / "former").mkdir()
    (handout / "former/file.h").write_text("")
    git(handout, "add", "former").expect(0)
    git(handout, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "former").expect(0)
    kit.lab("handout", handout).expect(GRADED, "commit ")
    assert git(handout, "status", "--porcelain").output == ""
    assert not (handout / "former/file.h").exists()


@pytest.mark.parametrize("options, says", [
    (["--labs", "02"], "lab 02 needs lab 01"),
    (["--labs", "3-1"], "ends before it begins"),
    (["--labs", "99"], "there is no lab"),
    (["--labs", "01", "--open", "02"], "lab 02 cannot be open")])
def test_wrong_labs_are_refused(kit, options, says):
    new = kit.build / "new-handout"
    kit.lab("handout", new, *options).expect(USAGE, says)


def test_a_folder_with_other_files_or_changes_is_refused(kit, handout):
    kit.lab("handout", kit.build).expect(USAGE, "has files and is no handout")
    (handout / "README.md").write_text("changed\n")
    kit.lab("handout", handout).expect(USAGE, "has changes that are not committed")
    assert (handout / "README.md").read_text() == "changed\n"
