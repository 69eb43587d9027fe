"""./lab class --shard and --merge: a class in parts has the tables of a class in one run"""

import re
import shutil

import pytest

from kit import GRADED, NOT_FULL, ROOT, USAGE, copy_lab, lab_of, run, write_program
from submissions import rows_without_times

LAB = lab_of("01")
NAMES = ["ada", "bob", "eve", "gus", "zoe"]
ROSTER = "id,name\n" + "".join(f"{name},{name.capitalize()}\n" for name in NAMES)
PAGE = (ROOT / "grader/classroom/docs/shards.md").read_text()
BY_SLURM = re.search(r"#!/bin/sh\n#SBATCH.*?(?=```)", PAGE, re.S)[0]


class Class:
    """Stubs, which need no compiler, and an archive that is none."""

    def __init__(self, kit):
        self.kit = kit
        self.folder = kit.new_folder("class")
        for name in NAMES:
            copy_lab(LAB, self.folder / name)
        shutil.rmtree(self.folder / "gus")
        (self.folder / "gus.zip").write_text("this is no archive\n")
        self.roster = kit.build / "people.csv"
        self.roster.write_text(ROSTER)

    def grade(self, out, *options):
        return self.kit.lab("class", self.folder, "--labs", "01", "--out", out, "--roster",
                            self.roster, *options)


def tables(out):
    texts = [(out / name).read_text() for name in ("steps.csv", "canvas.csv")]
    return rows_without_times(out), texts


@pytest.fixture(scope="module")
def class_(kit):
    return Class(kit)


@pytest.fixture(scope="module")
def in_one_run(class_, kit):
    out = kit.new_folder("in-one-run")
    class_.grade(out).expect(NOT_FULL, "5 of 5", "each test has: ")
    return out


@pytest.fixture(scope="module")
def in_parts(class_, kit):
    """The second of three parts is missing."""
    out = kit.new_folder("in-parts")
    for part in (1, 3):
        class_.grade(out, "--shard", f"{part}/3").expect_no("scores: ")
    assert not (out / "scores.csv").exists()
    return out


def test_a_missing_part_is_told_and_can_be_run_later(class_, in_one_run, in_parts):
    merged = class_.grade(in_parts, "--merge")
    merged.expect(NOT_FULL, "not graded yet: bob, zoe;")
    class_.grade(in_parts, "--shard", "2/3").expect(GRADED, "2 of 2", "--merge makes the tables")
    class_.grade(in_parts, "--merge").expect(NOT_FULL, "gus: the archive cannot be read")
    assert tables(in_parts) == tables(in_one_run)
    assert sorted(path.name for path in in_parts.rglob("*") if path.is_file()) == sorted(
        path.name for path in in_one_run.rglob("*") if path.is_file())


def test_the_merged_tables_are_those_of_a_run_that_has_all_rows(class_, in_one_run):
    """Byte for byte, but for the page's nonce."""
    def files():
        return [re.sub(r"nonce\W+\w{32}", "", (in_one_run / name).read_text())
                for name in ("scores.csv", "steps.csv", "canvas.csv", "index.html")]
    before = files()
    class_.grade(in_one_run, "--merge")
    assert files() == before


def test_rows_of_another_seed_are_not_merged(class_, in_one_run):
    before = tables(in_one_run)
    class_.grade(in_one_run, "--merge", "--seed", "7").expect(USAGE, "another --seed; give --merge")
    assert tables(in_one_run) == before


@pytest.mark.parametrize("part", ["0/3", "4/3", "3", "a/b", "1/0"])
def test_what_is_no_part_is_refused(class_, kit, part):
    class_.grade(kit.build / "refused", "--shard", part).expect(USAGE, "the third of forty is 3/40")


def test_a_part_is_not_merged(class_, kit):
    class_.grade(kit.build / "refused", "--shard", "1/2", "--merge").expect(USAGE)


def test_the_script_for_slurm_grades_its_part(kit, class_):
    """Without Slurm: with the variables that it sets."""
    folder = kit.new_folder("slurm")
    (folder / "submissions").symlink_to(class_.folder)
    write_program(folder / "lab", f'#!/bin/sh\nexec "{kit.program}" "$@"\n')
    (folder / "class.sh").write_text(BY_SLURM.replace("--out", "--labs 01 --out"))
    variables = {"SLURM_ARRAY_JOB_ID": "9", "SLURM_ARRAY_TASK_ID": "4", "LAB_ROOT": str(ROOT)}
    run(["sh", "class.sh"], variables, cwd=folder).expect(NOT_FULL, "1 of 1", "gus")
    assert [file.name for file in (folder / "results/submissions").iterdir()] == ["gus.json"]
