"""Folders of submissions, as a class hands them in: made from the trees and cases of the kit."""

import csv
import json
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kit import GRADED, ROOT, Outcome, copy_lab


def case_folder(lab):
    return ROOT / "grader/cases" / lab.folder


def alternatives(lab):
    return sorted(folder.name for folder in (case_folder(lab) / "alternatives").iterdir())


def files_of_alternative(lab, alternative):
    return [file.name for file in (case_folder(lab) / "alternatives" / alternative).iterdir()]


def write_alternative(lab, alternative, tree):
    """The solution of the lab, with the files of an alternative in place of its own."""
    copy_lab(lab, tree, "solution")
    shutil.copytree(case_folder(lab) / "alternatives" / alternative, tree / lab.folder,
                    dirs_exist_ok=True)


@dataclass
class Variation:
    """The solution with one place changed. CONTRIBUTING.md: "How to add a known bug"."""
    name: str
    file: str
    shows: str = ""  # the test that fails, or "like" and the bug that it is not
    sentence: str = ""
    old: str = ""
    new: str = ""
    fields: dict = field(default_factory=dict)  # "only_by": what each line says

    def add_line(self, line):
        sign, rest = line[:2] if line[1:] else f"{line} ", line[2:]
        if sign == "@ ":
            name, _, value = rest.partition(" ")
            self.fields.setdefault(name, []).append(value)
            return
        if sign in ("- ", "  "):
            self.old += rest + "\n"
        if sign in ("+ ", "  "):
            self.new += rest + "\n"
        if sign not in ("- ", "+ ", "  "):
            self.sentence = f"{self.sentence} {line}".strip()


def variations(lab, kind="known_bugs"):
    """What is in a file of the lab's cases: known_bugs, near_misses, stories, hostile."""
    text = re.sub(r"^#.*\n", "", (case_folder(lab) / f"{kind}.txt").read_text(), flags=re.M)
    found = []
    for entry in re.split(r"\n\n+", text.strip("\n")):
        head, *lines = entry.split("\n")
        variation = Variation(*head.split(" | "))
        for line in lines:
            variation.add_line(line)
        found.append(variation)
    return found


def write_variation(lab, variation, tree):
    copy_lab(lab, tree, "solution")
    file = tree / lab.folder / variation.file
    if not file.exists():
        file.write_text((ROOT / "labs" / lab.folder / variation.file).read_text())
    text = file.read_text()
    assert text.count(variation.old) == 1, f"{variation.name} no longer applies"
    includes = "".join(line + "\n" for line in variation.fields.get("include", []))
    file.write_text(includes + text.replace(variation.old, variation.new))


def put_on_top(file, text):
    """text: of characters that are one byte each, so that it need not be UTF-8."""
    file.write_bytes(f"{text}\n".encode("latin-1") + file.read_bytes())


def add_link(submission, original):
    """A submission whose file is a link to that of another one."""
    link = submission / original.parent.name / original.name
    link.parent.mkdir(parents=True)
    link.symlink_to(original)


def add_clone_in_zip(submission, lab, starter):
    """A whole clone in an archive, with one folder around it. starter: the tree handed in."""
    copy_lab(lab, submission / "pagedlab-main/starter", starter)
    copy_lab(lab, submission / "pagedlab-main/solution", "solution")
    pack(submission, "zip")


def pack(folder, archive_format):
    """Puts an archive in place of a folder: ada.zip for ada."""
    shutil.make_archive(folder, archive_format, folder)
    shutil.rmtree(folder)


@dataclass
class Comparison:
    outcome: Outcome
    out: Path
    pairs: set  # "01: ada, ben"


def compare(kit, folder, *options):
    """./lab similar, which has to succeed."""
    out = kit.build / "similar-report"
    outcome = kit.lab("similar", folder, "--out", out, *options)
    outcome.expect(GRADED)
    with open(out / "pairs.csv", newline="") as table:
        pairs = {f"{lab}: {left}, {right}" for lab, left, right, *_ in list(csv.reader(table))[1:]}
    return Comparison(outcome, out, pairs)


def rows_of(table):
    """The rows of a table of ./lab class, by submission."""
    with open(table, newline="") as file:
        return {row["submission"]: row for row in csv.DictReader(file)}


def grade_class(kit, folder, out, *options, **how):
    """./lab class, which has to succeed."""
    outcome = kit.lab("class", folder, "--out", out, *options, **how)
    if "no Landlock" in outcome.output:
        pytest.skip("needs Landlock (Linux 5.13)")
    outcome.expect(GRADED)
    return outcome


def read_row(out, name):
    """What ./lab class keeps of a submission."""
    return json.loads((out / "submissions" / f"{name}.json").read_text())
