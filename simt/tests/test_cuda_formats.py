"""--format: the findings in compute-sanitizer's words, the counts in Nsight Compute's"""

import json
import re

import pytest

from kit import GRADED, NOT_FULL, ROOT, USAGE

BUGS = ROOT / "simt/tests/bugs"

LEAK = """int main() {
  int* data;
  cudaMalloc(&data, 96);
  cudaMalloc(&data, 4);
  return 0;
}
"""


@pytest.fixture
def sanitizer(kit):
    """Its output, and the findings of the same run."""
    def sanitizer(file):
        report = kit.build / "formats.json"
        outcome = kit.lab("simt", file, "--format", "sanitizer", "--compiler", "g++",
                          "--json", report)
        return outcome, json.loads(report.read_text())["findings"]
    return sanitizer


def summary(outcome, name):
    found = re.search(rf"^========= {name} SUMMARY: (.*)$", outcome.output, re.MULTILINE)
    return found and found[1]


def blocks_of(outcome):
    report = outcome.output.split("========= COMPUTE-SANITIZER\n")[1]
    return report.split("=========\n")[:-1]


@pytest.mark.parametrize("file", ["bounds.cu", "shared_races.cu", "global_races.cu", "waiting.cu"])
def test_each_finding_is_told_once_with_its_place(sanitizer, file):
    outcome, findings = sanitizer(BUGS / file)
    outcome.expect(NOT_FULL)
    blocks = blocks_of(outcome)
    assert len(blocks) == len(findings)
    for block, finding in zip(blocks, findings):
        assert all(line.startswith("========= ") for line in block.splitlines())
        assert f"{finding['file']}:{finding['line']}" in block


def test_an_access_has_its_space_kind_and_size(sanitizer):
    outcome, findings = sanitizer(BUGS / "bounds.cu")
    for block, finding in zip(blocks_of(outcome), findings):
        if finding["kind"] != "out-of-bounds":
            continue
        verb = {"read": "reads", "write": "writes", "atomic": "updates"}[finding["access"]]
        assert f"{verb} {finding['bytes']} byte" in finding["what"]
        place = "shared" if "shared" in finding["what"] else "global"
        assert block.startswith(f"========= Invalid __{place}__ {finding['access']} of size "
                                f"{finding['bytes']} bytes\n=========     at ")
        assert "\n=========     Access is out of bounds: " in block


def test_races_are_counted_apart_from_errors(sanitizer):
    outcome, findings = sanitizer(BUGS / "shared_races.cu")
    races = [finding for finding in findings if finding["check"] == "racecheck"]
    number = len(races)
    assert number > 1
    assert summary(outcome, "RACECHECK") == (
        f"{number} hazards displayed ({number} errors, 0 warnings)")
    errors = sum(finding["count"] for finding in findings if finding not in races)
    assert summary(outcome, "ERROR").split()[0] == str(errors)


def test_what_the_real_tool_does_not_look_at_is_marked(sanitizer):
    outcome, findings = sanitizer(BUGS / "global_races.cu")
    assert {finding["kind"] for finding in findings} >= {"global-race"}
    for block, finding in zip(blocks_of(outcome), findings):
        is_marked = "(compute-sanitizer does not report this)" in block
        assert is_marked == (finding["kind"] == "global-race")


def test_leaks_have_their_own_summary(kit, sanitizer):
    file = kit.build / "leak.cu"
    file.write_text(LEAK)
    outcome, _ = sanitizer(file)
    outcome.expect(NOT_FULL, "========= Leaked 96 bytes", "Host Frame: ", "leak.cu:3")
    assert summary(outcome, "LEAK") == "100 bytes leaked in 2 allocations"


def test_a_right_program_has_no_errors(sanitizer):
    outcome, _ = sanitizer(ROOT / "simt/examples/reduction.cu")
    outcome.expect(GRADED)
    assert summary(outcome, "ERROR") == "0 errors"
    assert summary(outcome, "RACECHECK") is None
    outcome.expect_no("returned an error")


def metrics_of(outcome, kernel):
    text = outcome.output.split(f"\n  {kernel}, ")[1].split("\n\n")[0]
    return dict(re.findall(r"^    (l1tex\S+|Avg[\w. ]+\w) .*?([\d,.]+)$", text, re.MULTILINE))


def test_the_metrics_of_a_transpose_are_those_of_algebra(kit):
    outcome = kit.lab("simt", ROOT / "simt/examples/transpose.cu", "--format", "ncu")
    outcome.expect(GRADED)
    straight = metrics_of(outcome, "transpose_straight")
    stores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"
    warps = int(straight[stores])
    # A warp reads a row, 4 sectors; it writes a column, a sector for each lane.
    assert int(straight["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]) == 4 * warps
    assert straight["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"] == "32"
    assert straight["Avg. Active Threads Per Warp"] == "32"
    # 32 words of a column are in one bank, so 31 of 32 wavefronts are conflicts.
    conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"
    assert metrics_of(outcome, "transpose_tiled<32>")[conflicts] == f"{31 * warps:,}"
    assert metrics_of(outcome, "transpose_tiled<33>")[conflicts] == "0"
    outcome.expect(GRADED, f"a total of {28 * warps:,} excessive sectors", "transpose.cu:12")


def test_a_program_with_bugs_has_no_metrics(kit):
    outcome = kit.lab("simt", ROOT / "simt/examples/broken/reduction.cu", "--format", "ncu")
    outcome.expect(NOT_FULL, "no counts: this program has 1 finding")
    outcome.expect_no("l1tex__")


@pytest.mark.parametrize("options", [["--format", "ncu", "--no-profile"], ["--format", "html"]])
def test_a_format_that_shows_nothing_is_refused(kit, options):
    kit.lab("simt", ROOT / "simt/examples/reduction.cu", *options).expect(USAGE, "--format")
