"""./lab class: a class of sixteen, with attacks, loops, copies and damaged files"""

import re
import shlex
import shutil
from types import SimpleNamespace

import pytest

from kit import GRADED, ROOT, USAGE, copy_lab, lab_of, replace_in, run
from submissions import (EntryMaker, SmallClass, add_clone_in_zip, add_in_other_words, add_link,
                         grade_class, points_of_steps, put_on_top, read_row, rows_of)

LAB = lab_of("01")
QUEUE = f"{LAB.folder}/free_kv_cache_block_queue.cpp"
EXTRA = sum(test["points"] for test in LAB.tests if test["kind"] == "extra")
ROSTER = 'id,name,group\nada,"Lovelace, Ada",A\neve,Eve,A\nzoe,Zoe,B\n'

# submission: what is at the top of its file, and in its remove; the rest is the solution
CHANGES = {
    "asks": ('#if __has_include("ADA")\n#endif', ""),
    "daemon": ("#include <unistd.h>", "static const bool is_left = fork() == 0;\n"
               "if (is_left) for (;;) pause();"),
    "device": ('#include "/dev/zero"', ""),
    "latin": ("// caf\u00e9 \u00ff", ""),
    "loop": ("", "for (volatile int forever = 1; forever == 1;) {\n}"),
    "neighbour": ('#include "ADA"', ""),
    "only-in-tests": ("#include <cerrno>\n#include <string>", "if (std::string("
                      'program_invocation_short_name) != "lab01_tests") return nullptr;'),
    "overwrites": ("#include <fstream>", 'std::ofstream("/proc/self/exe") << 1;\n'
                   'std::ofstream("CMakeCache.txt") << 1;'),
}

# submission: its score (None: any) and what its row says
EXPECTED = {
    "ada": ("100", "done"),
    "asks": ("0", "error: a source asks for this file, and must not read it here"),
    "ben": ("0", "not started"),
    "cy": ("100", "done"),
    "daemon": ("100", "refers to fork"),
    "device": ("0", "does not compile"),
    "dee": ("100", "lab 01: all functions are the kit's solution but for comments, names, numbers"),
    "eve": ("", "Unrecognized archive format"),
    "fay": ("100", "done"),
    "latin": ("100", "done"),
    "link": ("", "symbolic link"),
    "loop": (None, "in progress"),
    "neighbour": ("0", "does not compile"),
    "only-in-tests": ("100", "the second opinion: full points, but"),
    "other-lab": ("", 'other-lab" holds no file of the labs asked for; expected for example 01-'),
    "overwrites": ("100", "uses files"),
}


def add_changed(folder, name):
    top, in_remove = CHANGES[name]
    copy_lab(LAB, folder / name, "solution")
    file = folder / name / QUEUE
    replace_in(file, "  remove(*head);", f"  {in_remove}\n  remove(*head);")
    put_on_top(file, top.replace("ADA", str(folder / "ada" / QUEUE)))


@pytest.fixture(scope="module")
def graded(kit):
    folder = kit.new_folder("class-of-sixteen")
    copy_lab(LAB, folder / "ada", "solution")
    add_clone_in_zip(folder / "ben", LAB, "starter")
    shutil.make_archive(folder / "cy", "gztar", ROOT / "solution" / LAB.folder)
    (folder / "eve.zip").write_text("this is no archive\n")
    add_link(folder / "link", folder / "ada" / QUEUE)
    copy_lab(lab_of("02"), folder / "other-lab", "solution")
    add_in_other_words(folder / "dee", LAB)
    shutil.copytree(folder / "dee", folder / "fay")
    copy_lab(lab_of("02"), folder / "fay", "starter")
    for name in CHANGES:
        add_changed(folder, name)
    roster = kit.build / "roster.csv"
    roster.write_text(ROSTER)
    out = kit.new_folder("class-results")
    options = ["--labs", "1-1,01", "--roster", roster]
    output = grade_class(kit, folder, out, *options).output
    return SimpleNamespace(folder=folder, out=out, output=output, options=options, roster=roster)


def row_of(graded, name):
    return rows_of(graded.out / "scores.csv")[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_submission_has_its_score(graded, name):
    score, said = EXPECTED[name]
    row = row_of(graded, name)
    assert score in (None, row["score"])
    assert row["score"] in ("", str(points_of_steps(graded.out, name)))
    assert said in " | ".join(row.values())
    assert name in graded.output


def test_no_cell_has_a_line_break_and_an_error_is_in_place_of_a_diagnosis(graded):
    rows = rows_of(graded.out / "scores.csv")
    assert not [cell for row in rows.values() for cell in row.values() if "\n" in cell]
    assert rows["device"]["diagnosis"].startswith("01: does not compile: ")


def test_the_table_says_what_has_graded(graded):
    row = row_of(graded, "ada")
    report = read_row(graded.out, "ada")["report"]
    assert row["kit"] == report["kit"]["version"] and row["commit"] == report["kit"]["commit"]
    assert row["compiler"] == report["compiler"]["name"] and row["date"] == report["date"]
    head = run(["git", "-C", ROOT, "rev-parse", "HEAD"])
    # In a worktree, the sandbox does not show the repository.
    if head.exit_code == 0 and (ROOT / ".git").is_dir():
        assert row["commit"] and head.output.startswith(row["commit"][:12])


# All points; a damaged archive; nothing handed in, or one of the submissions that are nobody's.
def test_canvas_gets_a_table(graded):
    assert (graded.out / "canvas.csv").read_text().endswith(
        "PagedLab 01 core,PagedLab 01 extra\n    Points Possible,,,,,100,0\n"
        f'"Lovelace, Ada",,ada,,A,100,{EXTRA}\nEve,,eve,,A,,\nZoe,,zoe,,B,,\n')


# What a row has beside its points is said at the end of the run, too.
@pytest.mark.parametrize("said", [
    "do not compile\n    asks: lab 01: ", "    device: lab 01: ",
    f"    neighbour: lab 01: {LAB.folder}/",
    "a time limit was reached\n    loop: lab 01: ",
    "not started\n    ben: lab 01\n",
    "the same files\n    ada, cy\n    dee, fay: lab 01\n",
    "    eve: the archive cannot be read: Unrecognized archive format; ask for a .zip, or ",
    "    daemon: lab 01: free_kv_cache_block_queue.cpp refers to fork",
    "    link: a symbolic link",
    "and run this again\n    asks, ben, cy, ",
    "    one may belong to Zoe (zoe); until then, "])
def test_what_there_is_to_look_at_is_listed(graded, said):
    _, _, to_look_at = graded.output.partition("\nto look at\n")
    assert said in to_look_at


def test_a_step_to_fix_is_named_only_for_tests_that_run_and_fail(graded):
    def steps_to_fix(name):
        tests = read_row(graded.out, name)["report"]["labs"][0]["tests"]
        return [test["fix"] for test in tests if test["fix"]]

    # The time to search for causes is limited, so there may be more.
    assert steps_to_fix("loop")[0] == "1.3 popleft"
    assert not steps_to_fix("ada") + steps_to_fix("ben") + steps_to_fix("device")


def test_results_name_what_was_handed_in_and_not_the_copy_that_is_graded(graded):
    ada = graded.folder / "ada"
    page = (graded.out / "students/ada.html").read_text()
    assert '<p class="owner">ada: Lovelace, Ada (ada), group A</p>' in page
    assert f"compare: ./lab diff {shlex.quote(str(ada))} 01 --yes, then" in page
    assert read_row(graded.out, "ada")["report"]["tree"] == str(ada)
    files = [file for file in graded.out.rglob("*") if file.is_file()]
    assert not [file for file in files if "/class-1/" in file.read_text()]


def test_pages_can_be_read_without_javascript(graded):
    def plain(page):
        return re.search("<noscript>(.*?)</noscript>", (graded.out / page).read_text(), re.S)[1]

    assert "  ada: 100 +" in plain("index.html")
    loop = plain("students/loop.html")
    for said in ["this test checks: ", "what the test did:\n",
                 "what went wrong: a loop that does not end in popleft, line "]:
        assert said in loop


def test_a_second_run_takes_what_is_there_and_the_names_of_a_new_roster(kit, graded):
    table = (graded.out / "scores.csv").read_text()
    (graded.out / "scores.csv").unlink()
    graded.roster.write_text(ROSTER.replace('Ada"', 'Augusta Ada"'))
    grade_class(kit, graded.folder, graded.out, *graded.options)
    renamed = table.replace("Lovelace, Ada", "Lovelace, Augusta Ada")
    assert (graded.out / "scores.csv").read_text() == renamed
    page = (graded.out / "students/ada.html").read_text()
    assert ">ada: Lovelace, Augusta Ada (" in page


def test_a_roster_that_is_none_is_refused(kit, graded):
    graded.roster.write_text("id;name\n")
    kit.lab("class", graded.folder, "--out", graded.out, *graded.options).expect(USAGE)


@pytest.fixture
def small(kit, graded):
    return SmallClass(kit, graded)


TWO_PEOPLE = "id,name\n12345,Ada\n23456,Alan\n"


def test_of_two_submissions_of_one_person_neither_is_a_grade(small):
    small.add_unreadable("12345-late", "turing_23456")
    small.add_reported("12345-early", score=7, extra=0)
    assert ("of one person: say which counts with --keep, or take away all but one\n"
            "    12345-early, 12345-late\n") in small.run(TWO_PEOPLE)
    assert small.canvas().endswith("\nAda,,12345,,,,\nAlan,,23456,,,,\n")
    assert rows_of(small.out / "scores.csv")["12345-early"]["score"] == "7"


def test_the_table_for_canvas_names_the_labs(small):
    small.add_unreadable("ada")
    small.run(TWO_PEOPLE, "01,02")
    assert ",PagedLab 01-02 core," in small.canvas()


def test_who_has_handed_in_nothing_has_0_unless_a_submission_is_nobodys(small):
    small.add_unreadable("lovelace_12345")
    assert "nothing was handed in by\n    Alan (23456)\n\nscores: " in small.run(TWO_PEOPLE)
    assert small.canvas().endswith("\nAlan,,23456,,,0,0\n")
    small.add_unreadable("turing")
    assert ("    one may belong to Alan (23456); until then, they have no points in canvas.csv\n"
            "\nscores: ") in small.run(TWO_PEOPLE)
    assert small.canvas().endswith("\nAlan,,23456,,,,\n")
    table = (small.out / "scores.csv").read_text()
    assert "its name has no id of the roster, or more than one" in table
    assert "no submission has this id; one that is nobody's" in table


def test_a_list_is_in_the_order_of_the_submissions_not_of_what_is_said(small):
    small.add_unreadable("ada")
    (small.folder / "ben").mkdir()
    said = re.findall("^    (ada|ben): (.*)", small.run(), re.M)
    assert [name for name, _ in said] == ["ada", "ben"]
    assert said[0][1] > said[1][1]


def failing_lab(lab, first_status="fail", diagnosis=""):
    """Four tests fail, each with the step to fix, if one is found."""
    tests = [{**lab["tests"][0], "kind": "core", "step": "1.4", "points": 0, "max_points": 1,
              "fix": fix, "status": "fail", "explained_by": ""}
             for fix in ["1.4 append", "1.6 append_n", "1.4 append", ""]]
    tests[0]["status"] = first_status
    return {**lab, "state": "in progress", "score": 90, "extra": 0, "diagnosis": diagnosis,
            "flags": [], "tests": tests}


def run_with_failures(small, **failures):
    lab = read_row(small.graded.out, "ada")["report"]["labs"][0]
    small.add_reported("ada", score=90, extra=0, labs=[failing_lab(lab, **failures)])
    return small.run()


def test_a_failure_that_no_known_bug_explains_is_listed_by_the_step_to_fix(small):
    output = run_with_failures(small)
    assert ("fail, and no known bug explains it\n    ada: lab 01: 1.4 append: 2 tests fail; "
            "1.6 append_n: 1 test fails\n") in output
    causes = dict(re.findall(r"^  (1\.\d) .* (\d+)$", output, re.M))
    assert (causes["1.4"], causes["1.1"]) == ("1", "0")


def test_a_known_bug_needs_no_other_word(small):
    assert "fail, and no" not in run_with_failures(small, diagnosis="looks like: a known bug")


def test_nor_does_a_time_limit(small):
    assert "no known bug" not in run_with_failures(small, first_status="timeout")


# What is in the folder of a class, and what is said of it. A starter is graded at once.
ENTRIES = {
    **{f".hidden{ending}": "0" for ending in ["", ".ZIP", ".tar.bz2", ".tar.xz", ".7z", ".rar"]},
    "hopper_15_98_compact_free_queue-2.cpp": "two files are compact_free_queue.cpp: ",
    "hopper_15_99_compact_free_queue-1.cpp": "take away all but one",
    "lovelace_12_98_compact_free_queue-1.cpp": "0",
    "lovelace_12_99_free_kv_cache_block_queue-1.cpp": "0",
    "turing_13_free_kv_cache_block_queue.cpp": "0",
    "essay_14.pdf": "it is no folder, no archive that is known",
    "church_16_99_essay.pdf": '"church_16_99_essay.pdf" is no file of a lab',
    "link_17": "a link to nothing", "pipe_18": "it is a pipe",
    "inside_28": 'its entry "pipe" is a pipe',
    "empty_19.zip": "the archive is empty", "empty_20": "holds no file of any lab",
    "out_21.tgz": 'its entry "../ada" leads out of the folder',
    "root_22.tgz": 'its entry "/ada" leads', "hard_23.tgz": 'its entry "ada link to /ada" leads',
    "device_24.tgz": 'its entry "ada" is a device', "fifo_25.tgz": 'its entry "ada" is a pipe',
    "large_26.tgz": 'its entry "ada" is more than there may be: 256 MB of files',
    "twice_27": 'two submissions are called "twice_27"', "twice_27.zip": "take away all but one"}


def test_each_entry_of_the_folder_is_graded_or_says_why_not(small):
    made = EntryMaker(small.folder, LAB)
    for number, name in enumerate(ENTRIES):
        made.add(name, number)
    (small.folder / ".DS_Store").touch()
    ids = {name: (re.findall(r"_(\d\d)", name) or [""])[0] for name in ENTRIES}
    people = "".join(f"{id},P\n" for id in sorted(set(ids.values()) - {""}))
    output = small.run(f"id,name\n{people}")
    rows = rows_of(small.out / "scores.csv")
    assert len(rows) == len(ENTRIES) - 3 and ".DS_Store" not in output
    ungraded = {row["id"]: row["note"] for row in rows.values() if not row["score"]}
    for name, said in ENTRIES.items():
        assert said in ungraded.get(ids[name], "0"), name
        assert (f",{ids[name]},,,,\n" in small.canvas()) == (ids[name] in ungraded), name
    one_file = small.folder / "turing_13_free_kv_cache_block_queue.cpp"
    small.kit.lab("diff", one_file, "01", "--yes").expect(GRADED, "solution: 1.3 popleft")
