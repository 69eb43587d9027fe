"""grading: the time of a submission is up while its tests run"""

import json
import xml.etree.ElementTree as xml

import pytest

from kit import GRADED, copy_lab, lab_of, replace_in

QUEUE = lab_of("01")

# Each test that appends sleeps until its own limit.
APPEND = "void FreeKVCacheBlockQueue::append(KVCacheBlock& block) {"
SLEEP = "std::this_thread::sleep_for(std::chrono::hours(1));"


@pytest.fixture(scope="module")
def reports(kit):
    """The JSON and the JUnit report."""
    tree = kit.new_folder("sleeper")
    copy_lab(QUEUE, tree, "solution")
    file = tree / QUEUE.folder / "free_kv_cache_block_queue.cpp"
    replace_in(file, APPEND, f"{APPEND} {SLEEP}")
    file.write_text(f"#include <chrono>\n#include <thread>\n{file.read_text()}")
    paths = kit.build / "report.json", kit.build / "report.xml"
    kit.lab("grade", "01", "--tree", tree, "--wall", "30", "--json", paths[0],
            "--junit", paths[1]).expect(GRADED)
    return json.loads(paths[0].read_text()), xml.parse(paths[1]).getroot()


def results_of(reports):
    return reports[0]["labs"][0]["tests"]


def test_what_has_passed_counts(reports):
    assert {"pass", "not_run"} <= {test["status"] for test in results_of(reports)}
    points = sum(test["points"] for test in results_of(reports)
                 if test["status"] == "pass" and test["kind"] == "core")
    assert reports[0]["score"] == points > 0


def test_what_was_not_run_is_no_failure(reports):
    number = [test["status"] for test in results_of(reports)].count("not_run")
    skipped = [case for case in reports[1].iter("skipped") if case.get("message") == "not_run"]
    assert len(skipped) == number
    assert all(test["fix"] == "" and test["points"] == 0 for test in results_of(reports)
               if test["status"] == "not_run")


def test_causes_are_left_out_before_tests(reports):
    assert not any(test["cause"] for test in results_of(reports))
