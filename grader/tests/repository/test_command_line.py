"""the command line: wrong use, a broken kit, and what ./lab says before anything is written"""

import json
import re
import shutil

import pytest

from kit import BROKEN, GRADED, NOT_FULL, ROOT, USAGE, lab_of, labs, run

NO_LAB_99 = 'there is no lab "99"; the labs are ' + ", ".join(lab.folder for lab in labs())

# What is typed, and what is said of it.
WRONG_USES = [
    ("grade 99", NO_LAB_99),
    ("mutate 99", NO_LAB_99),
    ("grade --tree /nowhere", 'no folder "/nowhere"'),
    ("grade --fast", "--fast; run ./lab grade --help"),
    ("grade 01 --nvcc", "--nvcc is for labs in CUDA"),
    ("grade --timeout 0", "--timeout"),
    ("test --only untitled", 'no group of checks has "untitled" in its title'),
    ("predict", "LAB is required; run ./lab predict --help"),
    ("predict 99", 'there is no lab "99"'),
    ("predict 01 --question 1,9", "lab 01 has no question 9; its questions are 1, 2, 3, 4"),
    ("simt /nowhere.cu", 'no file "/nowhere.cu"'),
]


@pytest.fixture(scope="module")
def empty(kit_copy):
    folder = kit_copy.root / "empty"
    folder.mkdir()
    return folder


def test_no_lab_of_an_untouched_clone_is_built(kit_copy):
    build = kit_copy.root / "first build"
    outcome = kit_copy.lab("grade", env={"LAB_BUILD_DIR": str(build)})
    outcome.expect(GRADED, "That is right: nothing is written yet.")
    assert (build / "stage").exists() and not (build / "grade").exists()


@pytest.mark.parametrize("typed, says", WRONG_USES, ids=[typed for typed, _ in WRONG_USES])
def test_wrong_use_is_answered_in_one_sentence(kit_copy, typed, says):
    kit_copy.lab(*typed.split()).expect(USAGE, says)


def test_an_unknown_command_is_answered_in_one_line(kit_copy):
    """Nobody would see the error above a page of help."""
    for outcome in [run([ROOT / "lab", "grad"]), kit_copy.lab("grad")]:
        outcome.expect(USAGE)
        assert outcome.output == 'lab: there is no command "grad"; run ./lab help\n'


def test_the_clone_is_no_tree(kit_copy):
    outcome = kit_copy.lab("grade", "--tree", kit_copy.root)
    outcome.expect(USAGE, "did you mean --tree starter?")


def test_a_tree_needs_a_file_of_a_lab(kit_copy, empty):
    kit_copy.lab("grade", "--tree", empty).expect(USAGE, "holds no file of the labs")


def test_a_build_folder_that_cannot_exist_is_named(kit_copy):
    outcome = kit_copy.lab("grade", env={"LAB_BUILD_DIR": "/dev/null/build"})
    outcome.expect(USAGE, "LAB_BUILD_DIR=")


def test_a_launch_needs_arguments(kit_copy):
    file = kit_copy.root / "launch.cu"
    file.write_text("int main() {\n  kernel<<<1, 32>>>;\n}\n")
    kit_copy.lab("simt", file).expect(USAGE, "launch.cu:2: no arguments follow >>>")


def test_gpu_validate_names_the_tools_that_are_missing(kit_copy, empty):
    outcome = kit_copy.lab("gpu-validate", env={"PATH": str(empty)})
    outcome.expect(USAGE, "this machine lacks nvcc, ncu, compute-sanitizer, an NVIDIA GPU")


def test_a_report_that_cannot_be_written_is_named_below_the_screen(kit_copy):
    outcome = kit_copy.lab("grade", "01", "--json", "/dev/full")
    outcome.expect(USAGE, "cannot write /dev/full")


def test_strict_needs_full_marks_and_the_report_says_what_was_graded(kit_copy):
    file = kit_copy.root / "out.json"
    outcome = kit_copy.lab("grade", "01", "--strict", "--json", file)
    outcome.expect(NOT_FULL, "total 0/")

    report = json.loads(file.read_text())
    assert report["labs"][0]["max_score"] == 100
    assert report["kit"]["commit"] == ""
    assert re.fullmatch(r"\d+\.\d+\.\d+", report["kit"]["version"])
    assert re.fullmatch(r"(GNU|Clang) [0-9.]+", report["compiler"]["name"])
    assert re.fullmatch(r"C\+\+20 .*-O1 .*", report["compiler"]["options"])
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", report["date"])


@pytest.mark.parametrize("name", ["1", "01-free-queue"])
def test_a_lab_has_several_names(kit_copy, name):
    kit_copy.lab("grade", name).expect(GRADED, "total 0/100")


@pytest.fixture(scope="module")
def handed_in(kit_copy):
    """Submissions of lab 01: archives, folders, a repository, and what is none."""
    lab, folder = lab_of("01").folder, kit_copy.root / "handed in"
    repository = folder / "around"
    shutil.copytree(ROOT / "solution" / lab, repository / "me" / lab)
    git = ["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in [["init", "--quiet"], ["add", "."], ["commit", "-qm", "lab 01"]]:
        run([*git, *words]).expect(0)

    clone = kit_copy.root / "wrapped"
    for tree, source in [("starter", "starter"), ("solution", "solution")]:
        shutil.copytree(ROOT / source / lab, clone / "pagedlab-main" / tree / lab)
    shutil.make_archive(folder / "wrapped", "zip", clone)
    shutil.make_archive(folder / "flat", "gztar", ROOT / "solution" / lab)

    (folder / "empty").mkdir()
    (folder / "empty/notes.txt").write_text("I was ill.\n")
    (folder / "notes.txt").write_text("I was ill.\n")
    (folder / "damaged.zip").write_text("this is no archive\n")
    return folder


@pytest.mark.parametrize("name, arguments, says", [
    ("flat.tar.gz", ["01"], "1.2 remove: the same"),
    ("wrapped.zip", ["01"], "+++ solution: 1.2 remove"),
    ("around", [], "not submitted: lab 02"),
])
def test_diff_finds_the_files_of_a_submission(kit_copy, handed_in, name, arguments, says):
    kit_copy.lab("diff", handed_in / name, *arguments, "--yes").expect(GRADED, says)


def test_diff_takes_a_commit_of_a_repository(kit_copy, handed_in):
    shutil.rmtree(handed_in / "around/me")
    outcome = kit_copy.lab("diff", handed_in / "around", "01", "--commit", "HEAD", "--yes")
    outcome.expect(GRADED, "1.2 remove: the same")


@pytest.mark.parametrize("name, says", [
    ("damaged.zip", "cannot be compared: the archive is damaged"),
    ("notes.txt", "is neither a folder nor an archive"),
    ("empty", "holds no file of any lab"),
    ("nowhere", "is not there"),
])
def test_diff_refuses_in_one_sentence_about_the_argument(kit_copy, handed_in, name, says):
    outcome = kit_copy.lab("diff", handed_in / name, "01")
    outcome.expect(USAGE, f'"{handed_in / name}" {says}')
    outcome.expect_no("--tree")
    assert outcome.output.count("\n") == 1


def test_diff_names_a_repository_without_its_password(kit_copy):
    outcome = kit_copy.lab("diff", "https://me:secret@localhost:1/a.git", "01", "--commit", "HEAD")
    outcome.expect(USAGE, "git cannot fetch https://localhost:1/a.git at HEAD")


@pytest.mark.parametrize("name", ["1", "01", "01-free-queue"])
def test_a_malformed_ledger_is_named(kit_copy, name):
    ledger = kit_copy.root / "grader/cases/01-free-queue/equivalent_mutants.txt"
    ledger.write_text("a line that begins an entry\n")
    kit_copy.lab("mutate", name).expect(BROKEN, "an entry needs a line")


def test_points_have_to_add_up_to_100(kit_copy):
    sheet = kit_copy.root / "labs/02-block-pool/lab.json"
    text = sheet.read_text()
    spec = json.loads(text)
    spec["tests"][0]["points"] += 1
    sheet.write_text(json.dumps(spec))
    outcome = kit_copy.lab("grade", "01")
    outcome.expect(BROKEN, "the core points add up to 101, not to 100")
    sheet.write_text(text)


def test_a_malformed_or_absent_score_sheet_is_named(kit_copy):
    manifest = kit_copy.root / "labs/manifest.json"
    manifest.write_text('{"format": 1,')
    kit_copy.lab("grade").expect(BROKEN, "git checkout -- labs/manifest.json")
    manifest.unlink()
    kit_copy.lab("grade").expect(BROKEN, "manifest.json")
