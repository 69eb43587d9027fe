"""the command line: wrong use, a broken kit, and what ./lab says before anything is written"""

import json
import re

import pytest

from kit import BROKEN, GRADED, NOT_FULL, ROOT, USAGE, labs, run

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
    ("test --changed nowhere", "--changed takes a commit of this clone, as main or HEAD~1"),
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


def test_a_gpu_is_compared_where_its_tools_are(kit_copy, empty):
    outcome = kit_copy.lab("test", "--gpu", env={"PATH": str(empty)})
    outcome.expect(USAGE, "this machine lacks nvcc, ncu, compute-sanitizer, an NVIDIA GPU")


def test_a_report_that_cannot_be_written_is_named_below_the_screen(kit_copy):
    outcome = kit_copy.lab("grade", "01", "--json", "/dev/full")
    outcome.expect(USAGE, "cannot write /dev/full")


def test_every_command_says_what_the_list_of_commands_says(kit):
    listed = run([ROOT / "lab", "help"]).output
    commands = re.findall(r"^  \./lab (\S+).*?  +(\S.*)$", listed, re.M)
    assert len(commands) > 20
    for name, purpose in commands:
        if name != "doctor":  # the script ./lab itself
            kit.lab(name, "--help").expect(GRADED, purpose)


def test_the_lines_of_a_help_stay_as_they_are(kit):
    kit.lab("grade", "--help").expect(
        GRADED, "or a missing tool,\n3 the kit itself is broken, or the machine refuses")


@pytest.mark.parametrize("words", [
    ["grade", "01", "--json"], ["grade", "01", "--junit"], ["grade", "01", "--html"],
    ["simt", "none.cu", "--json"], ["simt", "none.cu", "--html"], ["play", "01", "--html"]])
def test_a_file_that_cannot_be_there_is_named_before_the_work(kit_copy, words):
    for file in ("/dev/null/report", kit_copy.root):
        outcome = kit_copy.lab(*words, file)
        outcome.expect(USAGE, f"{words[-1]}: cannot write {file}: ")
        assert len(outcome.output.splitlines()) == 1


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


@pytest.mark.parametrize("name", ["1", "01", "01-free-queue"])
def test_a_malformed_ledger_is_named(kit_copy, name):
    ledger = kit_copy.root / "grader/proof/cases/01-free-queue/equivalent_mutants.txt"
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
