"""course: the time of a submission is up while its tests run"""

import json

import pytest

from kit import GRADED, copy_lab, lab_of, replace_in

QUEUE = lab_of("01")

# Each test that appends sleeps until its own limit.
APPEND = "void FreeKVCacheBlockQueue::append(KVCacheBlock& block) {"
SLEEP = "std::this_thread::sleep_for(std::chrono::hours(1));"


@pytest.fixture(scope="module")
def slow_tree(kit):
    tree = kit.new_folder("class") / "sleeper"
    copy_lab(QUEUE, tree, "solution")
    file = tree / QUEUE.folder / "free_kv_cache_block_queue.cpp"
    replace_in(file, APPEND, f"{APPEND} {SLEEP}")
    file.write_text(f"#include <chrono>\n#include <thread>\n{file.read_text()}")
    return tree


@pytest.fixture(scope="module")
def row(kit, slow_tree):
    out = kit.new_folder("time-is-up")
    outcome = kit.lab("class", slow_tree.parent, "--labs", "01", "--wall", "30", "--out", out)
    outcome.expect(GRADED, "a time limit was reached")
    return json.loads((out / "submissions" / "sleeper.json").read_text())


def statuses_of(report):
    return [test["status"] for test in report["labs"][0]["tests"]]


def test_what_has_passed_counts(row):
    statuses = statuses_of(row["report"])
    assert {"pass", "not_run"} <= set(statuses)
    points = sum(test["points"] for test in row["report"]["labs"][0]["tests"]
                 if test["status"] == "pass" and test["kind"] == "core")
    assert row["report"]["score"] == points > 0


def test_the_row_says_how_many_tests_were_not_run(row):
    number = statuses_of(row["report"]).count("not_run")
    assert row["problem"] == f"stopped after 30 seconds; lab 01: {number} tests not run"


def test_causes_are_left_out_before_tests(row):
    causes = [test for test in row["report"]["labs"][0]["tests"] if test.get("cause")]
    assert causes == []


def test_with_time_enough_all_tests_run(kit, slow_tree):
    report = kit.build / "report.json"
    kit.lab("grade", "01", "--tree", "solution", "--wall", "300", "--json", report).expect(GRADED)
    assert set(statuses_of(json.loads(report.read_text()))) == {"pass"}
