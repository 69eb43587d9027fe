"""planted CUDA bugs: each is found at its line and with its kind, and nothing else is found"""

import functools
import json
import re

import pytest

from kit import GRADED, NOT_FULL, ROOT, need

BUGS = ROOT / "simt/tests/bugs"
FILES = sorted(file.name for file in BUGS.glob("*.cu"))
SCHEDULES = ["forward", "reverse"]

# 2^24 basic blocks without progress, of which simt/tests/bugs/slow.cu is a measure.
SMALL_BUDGET = "16777216"

# The end of a line: "finds: KIND, KIND in thread (1,0,0) only in reverse"; there may be several.
# "meets:" is at the other place of a finding.
COMMENT = re.compile(r"// (finds|notes|meets): ([a-z, -]+?)( in thread (?P<thread>\([0-9,]+\)))?"
                     r"( only (in (?P<schedule>[a-z]+)|at -O(?P<level>[01])))?$")


def expected_of_line(number, comment):
    """Lines such as "12 shared-race forward" and "7 out-of-bounds in (4,0,0)"."""
    met = " met" if comment[1] == "meets" else ""
    schedules = [comment["schedule"]] if comment["schedule"] else SCHEDULES
    for kind in re.findall(r"[a-z-]+", comment[2]):
        yield from (f"{number} {kind}{met} {schedule}" for schedule in schedules)
        if comment["thread"] and "forward" in schedules:
            yield f"{number} {kind} in {comment['thread']}"


def expected_findings(file, level):
    expected = set()
    for number, line in enumerate((BUGS / file).read_text().splitlines(), 1):
        for part in line.split(" // ")[1:]:
            comment = COMMENT.search("// " + part)
            if comment and comment["level"] in (None, level):
                expected.update(expected_of_line(number, comment))
    return expected


def actual_findings(report, expected):
    """Threads and other places are compared where a comment names one."""
    actual, optional = set(), set()
    for finding in report["findings"] + report["notes"]:
        what = f"{finding['line']} {finding['kind']}"
        runs = SCHEDULES if finding["runs"] == ["nvcc"] else finding["runs"]
        actual.update(f"{what} {run}" for run in runs)
        thread = ",".join(str(index) for index in finding.get("thread", []))
        optional.add(f"{what} in ({thread})")
        for note in finding["notes"]:
            optional.update(f"{note['line']} {finding['kind']} met {run}" for run in runs)
    return actual | optional & expected


@pytest.fixture(scope="module")
def report_of(kit):
    """Runs a file once with each compiler and level."""
    @functools.cache
    def report_of(file, compiler, level):
        report = kit.build / "report.json"
        lambdas = ["--extended-lambda"] if file == "accepted.cu" else []
        outcome = kit.lab("simt", BUGS / file, *lambdas, "--no-profile", "-O", level,
                          "--compiler", compiler, "--json", report,
                          env={"KV_SIMT_BUDGET": SMALL_BUDGET})
        has_bugs = "// finds: " in (BUGS / file).read_text()
        outcome.expect(NOT_FULL if has_bugs else GRADED)
        return json.loads(report.read_text())
    return report_of


@pytest.mark.parametrize("level", ["0", "1"])
@pytest.mark.parametrize("file", FILES)
def test_each_bug_is_found_at_its_line_and_no_other(report_of, file, compiler, level):
    expected = expected_findings(file, level)
    assert actual_findings(report_of(file, compiler, level), expected) == expected


@pytest.mark.parametrize("file", FILES)
def test_the_report_is_the_same_with_every_compiler(report_of, file):
    need("clang++")
    gnu, clang = report_of(file, "g++", "0"), report_of(file, "clang++", "0")
    assert {**gnu, "checked_with": ""} == {**clang, "checked_with": ""}


@pytest.mark.parametrize("bug", ["empty-loop", "flag-256"])
def test_a_hang_is_reported_within_ten_seconds(kit, bug):
    """These runs have the usual budget. There is no profile: its run would hang, too."""
    outcome = kit.lab("simt", BUGS / "hangs.cu", "--", bug)
    outcome.expect(NOT_FULL, "1 finding", "no profile: ")
    assert outcome.seconds < 10
