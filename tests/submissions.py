"""Folders of submissions, as a class hands them in: made from the trees and cases of the kit."""

import csv
import json
import os
import re
import shutil
import struct
import subprocess
import tarfile
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kit import GRADED, NOT_FULL, ROOT, USAGE, Outcome, copy_lab


def case_folder(lab):
    return ROOT / "grader/proof/cases" / lab.folder


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
    """The solution with one place changed. grader/proof/docs/cases.md."""
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


def add_in_other_words(submission, lab):
    """The solution with comments, another name, and two functions in the other order."""
    copy_lab(lab, submission, "solution")
    file = submission / lab.folder / lab.files[0]
    text = re.sub(r"\bhead\b", "first_of_all", file.read_text())
    first, second = re.findall(r"(?m)^\S[^\n]*\{\n(?:^ .*\n|^\n)*^\}\n", text)[:2]
    between = text[text.index(first) + len(first):text.index(second)]
    file.write_text(text.replace(first + between + second,
                                 f"// My own.\n{second}{between}{first}"))


def add_clone_in_zip(submission, lab, starter):
    """A whole clone in an archive, with one folder around it. starter: the tree handed in."""
    copy_lab(lab, submission / "pagedlab-main/starter", starter)
    copy_lab(lab, submission / "pagedlab-main/solution", "solution")
    pack(submission, "zip")


def pack(folder, archive_format):
    """Puts an archive in place of a folder: ada.zip for ada."""
    shutil.make_archive(folder, archive_format, folder)
    shutil.rmtree(folder)


def rar_block(kind, flags, fields):
    rest = struct.pack("<BHH", kind, flags, 7 + len(fields)) + fields
    return struct.pack("<H", zlib.crc32(rest) & 0xFFFF) + rest


def write_rar(files, place):
    """A .rar, which no program of Debian writes; nothing in it is compressed."""
    parts = [b"Rar!\x1a\x07\x00", rar_block(0x73, 0, bytes(6))]
    for file in files:
        content = file.read_bytes()
        head = struct.pack("<IIBIIBBHI", len(content), len(content), 3, zlib.crc32(content),
                           0x50210000, 20, 0x30, len(file.name), 0o100644)
        parts += [rar_block(0x74, 0x8000, head + file.name.encode()), content]
    place.write_bytes(b"".join(parts) + rar_block(0x7B, 0x4000, b""))


class EntryMaker:
    """What may be in the folder of a class, made for its name."""

    # What the one entry of an archive is.
    TYPES = {"hard": tarfile.LNKTYPE, "device": tarfile.CHRTYPE, "fifo": tarfile.FIFOTYPE}
    NAMES = {"out": "../ada", "root": "/ada"}

    def __init__(self, folder, lab):
        self.folder = folder
        self.lab = lab

    def add(self, name, number):
        place = self.folder / name
        what = name.split("_")[0]
        if what == "link":
            place.symlink_to("/nowhere")
        elif what == "pipe":
            os.mkfifo(place)
        elif what == "inside":
            place.mkdir()
            os.mkfifo(place / "pipe")
        elif name.startswith(".hidden"):
            self.add_starter(f".hidden{number}", name.removeprefix(".hidden"))
        elif place.suffix == ".tgz":
            self.add_tar(place, what)
        elif place.suffix == ".zip":
            zipfile.ZipFile(place, "w").close()
        elif place.suffix:
            place.write_bytes((ROOT / "starter" / self.lab.folder / self.lab.files[0]).read_bytes())
        else:
            place.mkdir()

    def add_starter(self, name, ending):
        copy_lab(self.lab, self.folder / name, "starter")
        if not ending:
            return
        tree = self.folder / name
        if ending == ".rar":
            write_rar([file for file in tree.rglob("*") if file.is_file()], Path(f"{tree}.rar"))
        else:
            kind = {".ZIP": ["--format=zip"], ".7z": ["--format=7zip"]}.get(ending, [])
            action = {".tar.bz2": "cjf", ".tar.xz": "cJf"}.get(ending, "cf")
            subprocess.run(["cmake", "-E", "tar", action, f"../{name}{ending}", *kind, "."],
                           cwd=tree, check=True)
        shutil.rmtree(tree)

    def add_tar(self, place, what):
        entry = tarfile.TarInfo(self.NAMES.get(what, "ada"))
        entry.type, entry.linkname = self.TYPES.get(what, tarfile.REGTYPE), "/ada"
        entry.size = (257 << 20) if what == "large" else 0
        with open("/dev/zero", "rb") as zeros, tarfile.open(place, "w:gz") as archive:
            archive.addfile(entry, zeros)


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
    """./lab class, whose exit code says whether every submission has a score."""
    outcome = kit.lab("class", folder, "--out", out, *options, **how)
    if "no Landlock" in outcome.output:
        pytest.skip("needs Landlock (Linux 5.13)")
    rows = rows_of(out / "scores.csv").values()
    all_graded = all(row["score"] for row in rows if row["submission"])
    outcome.expect(GRADED if all_graded else NOT_FULL)
    return outcome


def rows_without_times(out):
    """Of scores.csv: times and dates differ from run to run."""
    rows = list(rows_of(out / "scores.csv").values())
    for row in rows:
        del row["seconds"], row["date"]
    return rows


def points_of_steps(out, name):
    with (out / "steps.csv").open() as file:
        return sum(int(line["score"]) for line in csv.DictReader(file)
                   if line["submission"] == name)


def read_row(out, name):
    """What ./lab class keeps of a submission."""
    return json.loads((out / "submissions" / f"{name}.json").read_text())


class SmallClass:
    """Submissions that cost nothing: they cannot be read, or their report is made by hand."""

    def __init__(self, kit, graded):
        self.kit = kit
        self.graded = graded
        self.folder = kit.new_folder("small-class")
        self.out = kit.new_folder("small-class-results")

    def add_unreadable(self, *names):
        for name in names:
            (self.folder / f"{name}.zip").write_text("this is no archive\n")

    def add_reported(self, name, **report):
        """The submission ada, as if it had got another report."""
        shutil.copytree(self.graded.folder / "ada", self.folder / name, dirs_exist_ok=True)
        row = read_row(self.graded.out, "ada")
        row["submission"] = name
        row["report"].update(report, tree=str(self.folder / name))
        file = self.out / "submissions" / f"{name}.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(row))

    def options(self, roster, labs):
        if not roster:
            return ["--labs", labs]
        (self.folder.parent / "small.csv").write_text(roster)
        return ["--labs", labs, "--roster", self.folder.parent / "small.csv"]

    def run(self, roster="", labs="01", *more):
        return grade_class(self.kit, self.folder, self.out, *self.options(roster, labs),
                           *more).output

    def refuse(self, roster, said, *more):
        self.kit.lab("class", self.folder, "--out", self.out, *self.options(roster, "01"),
                     *more).expect(USAGE, said)

    def canvas(self):
        return (self.out / "canvas.csv").read_text()
