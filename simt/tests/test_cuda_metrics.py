"""textbook metrics: counts that are known exactly, and the accesses that nvcc compiles to"""

import json
import re

import pytest

from kit import GRADED, ROOT, need, run

PROGRAMS = ROOT / "simt/tests"
EXAMPLES = sorted((ROOT / "simt/examples").glob("*.cu"))


def profile(kit, file, compiler, level):
    """The lines of a program without findings, an entry for each line and width."""
    report = kit.build / "profile.json"
    outcome = kit.lab("simt", file, "--compiler", compiler, "-O", level, "--schedule", "forward",
                      "--json", report)
    outcome.expect(GRADED)
    return json.loads(report.read_text())["lines"]


def stated_counts():
    """What the comments of textbook.cu say: "write global: 4 requests, 128 lanes, 16 sectors"."""
    comment = re.compile(
        r"// (read|write) (global|shared): (\d+) requests?, (\d+) lanes, (\d+) \w+")
    for number, line in enumerate((PROGRAMS / "textbook.cu").read_text().splitlines(), 1):
        for access, space, *counts in comment.findall(line):
            yield [number, access, space, *map(int, counts)]


def counts_of(line):
    parts = line["sectors" if line["space"] == "global" else "wavefronts"]
    return [line["line"], line["access"], line["space"], line["requests"], line["lanes"], parts]


@pytest.mark.parametrize("level", ["0", "1"])
def test_every_count_of_the_textbook_is_exact(kit, compiler, level):
    stated = list(stated_counts())
    assert len(stated) >= 30
    counted = profile(kit, PROGRAMS / "textbook.cu", compiler, level)
    assert sorted(map(counts_of, counted)) == sorted(stated)


def accesses_in_ptx(ptx, file):
    """Those in one source file: its line, "read" or "write", the space, and the bytes of a lane."""
    location = re.compile(r"\s*\.loc\s+(\d+) (\d+) ")
    instruction = re.compile(
        r"(ld|st)(?:\.volatile)?\.(global|shared)(?:\.nc)?(?:\.v([24]))?\.[usbf](\d+)\s")
    number = re.search(rf'\.file\s+(\d+) "(?:.*/)?{re.escape(file)}"', ptx)[1]
    source, accesses = None, set()
    for line in ptx.splitlines():
        if place := location.match(line):
            source = int(place[2]) if place[1] == number else None
        elif source and (found := instruction.search(line)):
            access, space, values, bits = found.groups(default="1")
            is_read = "read" if access == "ld" else "write"
            accesses.add((source, is_read, space, int(values) * int(bits) // 8))
    return accesses


@pytest.mark.parametrize("file", [PROGRAMS / "textbook.cu", PROGRAMS / "widths.cu", *EXAMPLES],
                         ids=lambda file: file.name)
def test_accesses_are_as_wide_as_nvcc_makes_them(kit, file):
    """nvcc decides how wide an access is: a profile that splits or joins them counts wrongly."""
    need("nvcc")
    ptx = kit.build / "widths.ptx"
    run(["nvcc", "-std=c++20", "-Werror", "all-warnings", "-arch=sm_80", "-lineinfo", "-ptx", file,
         "-o", ptx]).expect(GRADED)
    of_nvcc = accesses_in_ptx(ptx.read_text(), file.name)
    ours = {(line["line"], line["access"], line["space"], line["width"])
            for line in profile(kit, file, "g++", "1") if line["access"] != "atomic"}
    assert ours == of_nvcc != set()


def test_a_paged_decode_of_full_size_is_right_and_has_no_findings(kit):
    """256 blocks of threads with a thousand tokens each: the size in a lab."""
    kit.lab("simt", PROGRAMS / "paged_decode.cu", "-O", "1", "--schedule", "forward",
            "--no-profile", "--", "tuned").expect(GRADED)
