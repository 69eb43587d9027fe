"""a class of sixty: right and wrong work, attacks and damaged files, killed and run again"""

import json
import shutil
from statistics import median
from types import SimpleNamespace

import pytest

from kit import ROOT, copy_lab, lab_of, run, solve_up_to, step_key
from submissions import (add_clone_in_zip, add_link, alternatives, case_folder, grade_class,
                         put_on_top, rows_of, variations, write_alternative, write_variation)

pytestmark = pytest.mark.full

LABS = [lab_of(number) for number in ["01", "02", "03", "04", "05"]]
FIRST = LABS[0]
FILE = f"{FIRST.folder}/{FIRST.files[0]}"
FEWER = "fewer points"

# They take the compiler's time and memory.
BOMBS = {
    "bomb-device": '#include "/dev/zero"',
    "bomb-constexpr": "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
                      "constexpr int x = f(60);",
    "bomb-template": "template <int N, int M> struct Tree {\n"
                     "  typename Tree<N - 1, 2 * M>::T left;\n"
                     "  typename Tree<N - 1, 2 * M + 1>::T right;\n  using T = Tree;\n};\n"
                     "template <int M> struct Tree<0, M> { using T = Tree; };\nTree<40, 1> tree;",
}

# Ends the class when 20 submissions are graded.
KILLED = """"$0" "$@" &
until [ "$(ls "$OUT/submissions" | wc -l)" -ge 20 ] || ! kill -0 $!; do sleep 0.2; done 2>/dev/null
kill -9 $!"""


class Submissions:
    def __init__(self, folder):
        self.folder = folder
        self.expected = {}  # submission: its lab, its score there (None: any), a part of its row

    def expect(self, name, score, said, lab=FIRST):
        self.expected[name] = (lab, score, said)
        return self.folder / name

    def add_work(self, lab):
        """Nothing, the half, all, an alternative, and three known bugs."""
        def expect(kind, score, said):
            return self.expect(f"{kind}-{lab.id}", score, said, lab)

        copy_lab(lab, expect("untouched", "0", "not started"))
        copy_lab(lab, expect("solved", "100", "done"), "solution")
        last, points = half_of(lab)
        solve_up_to(lab, last, expect("half", str(points), "in progress"))
        write_alternative(lab, alternatives(lab)[0], expect("otherwise", "100", "done"))
        bugs = bugs_with_a_message(lab)
        for bug in [bugs[0], bugs[len(bugs) // 2], bugs[-1]]:
            write_variation(lab, bug, expect(f"bug-{bug.name}", FEWER, ""))

    def add_attacks(self):
        """All that earn points, and two that have no end."""
        for attack in variations(FIRST, "hostile"):
            flag = attack.fields.get("flag", [""])[0]
            if flag or attack.name in ["loops", "sleeps"]:
                write_variation(FIRST, attack, self.expect(f"attack-{attack.name}-01", None, flag))

    def add_solution(self, name, score, said):
        copy_lab(FIRST, self.expect(name, score, said), "solution")
        return self.folder / name / FILE

    def add_odd_files(self):
        for name, text in BOMBS.items():
            put_on_top(self.add_solution(f"{name}-01", "0", "does not compile"), text)
        put_on_top(self.add_solution("latin-01", "100", "done"), "// caf\u00e9 \u00ff")
        crlf = self.add_solution("crlf-01", "100", "done")
        crlf.write_bytes(crlf.read_bytes().replace(b"\n", b"\r\n"))
        bom = self.add_solution("bom-01", "100", "done")
        bom.write_bytes(b"\xef\xbb\xbf" + bom.read_bytes())
        self.add_solution("na\u00efve name, with blanks-01", "100", "done")
        neighbour = self.add_solution("neighbour-01", "0", "does not compile")
        put_on_top(neighbour, f'#include "{self.folder / "solved-01" / FILE}"')

    def add_archives(self):
        solution = ROOT / "solution" / FIRST.folder
        shutil.make_archive(self.expect("flat", "100", "done"), "gztar", solution)
        add_clone_in_zip(self.expect("wrapped", "100", "done"), FIRST, "solution")
        damaged = self.expect("damaged", "", "Unrecognized archive format")
        damaged.with_suffix(".zip").write_text("this is no archive\n")
        empty = self.expect("empty", "", "holds no file of any lab")
        empty.mkdir()
        (empty / "notes.txt").write_text("I was ill.\n")
        add_link(self.expect("link", "", "symbolic link"), self.folder / "solved-01" / FILE)


def half_of(lab):
    """The step in the middle of those with core points, and the points up to it."""
    core = [test for test in lab.tests if test["kind"] == "core"]
    steps = sorted({test["step"] for test in core}, key=step_key)
    last = steps[len(steps) // 2]
    return last, sum(test["points"] for test in core if step_key(test["step"]) <= step_key(last))


def bugs_with_a_message(lab):
    """Those that a report can name: of some there is a count only, or another one in each run."""
    signatures = json.loads((case_folder(lab) / "signatures.json").read_text())
    named = {bug["name"] for bug in signatures if any(bug["failing"].values())}
    return [bug for bug in variations(lab) if bug.name in named]


@pytest.fixture(scope="module")
def submissions(kit):
    made = Submissions(kit.new_folder("class-of-sixty"))
    for lab in LABS:
        made.add_work(lab)
    made.add_attacks()
    made.add_odd_files()
    made.add_archives()
    return made


@pytest.fixture(scope="module")
def graded(kit, submissions):
    """The rows when the class was killed, and those of a second run."""
    out = kit.new_folder("class-of-sixty-results")
    options = ["--labs", "01,02,03,04,05", "--wall", "300", "--jobs", "2"]
    killed = ["sh", "-c", KILLED, kit.program, "class", submissions.folder, "--out", out, *options]
    run(killed, {"LAB_ROOT": str(ROOT), "LAB_BUILD_DIR": str(kit.build), "OUT": str(out)},
        timeout=7200)
    before = rows_of(out / "scores.csv")
    grade_class(kit, submissions.folder, out, *options, timeout=7200)
    return SimpleNamespace(before=before, rows=rows_of(out / "scores.csv"))


def test_it_was_killed_in_the_middle(graded, submissions):
    assert 19 <= len(graded.before) < len(submissions.expected)


def is_as_expected(row, lab, score, said):
    if said not in "\n".join(row.values()):
        return False
    if score != FEWER:
        return score in (None, row[f"lab{lab.id}"])
    extra = sum(test["points"] for test in lab.tests if test["kind"] != "core")
    return row[f"state{lab.id}"] != "done" or row[f"extra{lab.id}"] != str(extra)


def test_every_submission_has_its_row(graded, submissions):
    assert set(graded.rows) == set(submissions.expected)
    wrong = {name: (score, said, graded.rows[name])
             for name, (lab, score, said) in submissions.expected.items()
             if not is_as_expected(graded.rows[name], lab, score, said)}
    assert wrong == {}


def test_right_work_and_alternatives_have_no_flag(graded):
    flags = {name: row["flags"] for name, row in graded.rows.items()
             if name.startswith(("solved", "otherwise"))}
    assert len(flags) == 10 and not any(flags.values())


def test_at_least_12_of_15_known_bugs_are_named(graded):
    diagnoses = [row["diagnosis"] for name, row in graded.rows.items() if name.startswith("bug-")]
    assert len(diagnoses) == 15 and len(list(filter(None, diagnoses))) >= 12


def test_a_submission_takes_seconds(graded):
    seconds = [int(row["seconds"]) for row in graded.rows.values() if row["score"]]
    print(f"seconds of a submission: median {median(seconds)}, most {max(seconds)}")
    assert max(seconds) <= 300 + 10
