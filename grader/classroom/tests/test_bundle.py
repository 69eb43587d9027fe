"""./lab bundle: the bundles grade in the folders of their services"""

import json
import re

import pytest

import service_rules
from kit import GRADED, ROOT, USAGE, lab_of, labs
from leaks import files_in, leaks_in, secrets_of
from service_rules import has_closed_fences
from services import Services

LAB = lab_of("01")
QUEUE = "free_kv_cache_block_queue.cpp"
COMPACT = "compact_free_queue.cpp"
HALF = 56  # points of a popleft that returns nothing
EXTRA = sum(test["points"] for test in LAB.tests if test["kind"] == "extra")
EXTRA_OF_APPEND_N = 6


def solution_of(file):
    return (ROOT / "solution" / LAB.folder / file).read_text()


def with_popleft(line):
    return solution_of(QUEUE).replace("  remove(*head);", f"  remove(*head);\n  {line}")


# submission: its files. The line of the error in "broken" is shown, and must not end the block that
# shows it. "half" runs code before main, which is a flag; <iostream> does so up to GCC 12 only.
SUBMISSIONS = {
    "right": {QUEUE: solution_of(QUEUE), COMPACT: solution_of(COMPACT)},
    "half": {f"homework/01-free-queue/{QUEUE}":
             "#include <cstdlib>\nint seed = std::rand();\n" + with_popleft("return nullptr;")},
    "broken": {QUEUE: "int ``` = 1;\n```\n"},
    "none": {"README.md": "nothing yet\n"},
    "slow": {QUEUE: "#include <unistd.h>\n" + with_popleft("sleep(60);")},
}


@pytest.fixture(scope="module")
def services(kit):
    """With the bundle for Gradescope set up: the other one shares its build."""
    services = Services(kit)
    for name, files in SUBMISSIONS.items():
        services.add_submission(name, files)
    bundle = services.make("gradescope", "--labs", "01", "--extra", "after_due_date",
                           "--wall", "120")
    services.set_up_gradescope(bundle).expect(0, f"100/100 points, {EXTRA}/{EXTRA} extra")
    return services


def sum_of(tests, key):
    return sum(test[key] for test in tests)


def entry(tests, name, key="name"):
    return next(test for test in tests if test[key] == name)


def play_gradescope(services, name):
    """What holds for every submission."""
    played = services.play_gradescope(name)
    results = played.results
    service_rules.check(results, service_rules.GRADESCOPE)
    assert results["output_format"] == "text" and results["stdout_visibility"] == "hidden"
    assert "leaderboard" not in results
    if "tests" in results:
        assert results["score"] == sum_of(results["tests"], "score")
    return played


def test_gradescope_gives_all_points_and_hides_extra_tests(services):
    results = play_gradescope(services, "right").results
    assert results["score"] == 100 + EXTRA
    core = entry(results["tests"], "1.6 append_n")
    extra = entry(results["tests"], "1.6 append_n (extra)")
    assert (core["max_score"], core["visibility"]) == (18, "visible")
    assert (extra["max_score"], extra["visibility"]) == (EXTRA_OF_APPEND_N, "after_due_date")


def test_gradescope_says_what_is_wrong_and_flags_only_to_the_instructor(services):
    played = play_gradescope(services, "half")
    assert played.results["score"] == HALF
    popleft = entry(played.results["tests"], "1.3 popleft")
    assert popleft["status"] == "failed" and "yours gave nullptr" in popleft["output"]
    assert "for the instructor: lab 01: " in played.outcome.output
    assert "instructor" not in json.dumps(played.results)


@pytest.fixture(scope="module")
def classroom50(services):
    bundle = services.make("classroom50", "--labs", "01")
    services.replace_lab(bundle / "kit")
    return bundle


# Classroom 50 publishes the folder.
def test_classroom50_publishes_no_solution(classroom50):
    secrets = secrets_of(labs())
    assert leaks_in(files_in(classroom50), secrets) == {}
    for room in ["starter", "solution", "grader/proof/cases"]:
        folders = [file for file in (classroom50 / "kit" / room).iterdir() if file.is_dir()]
        assert [folder.name for folder in folders] == [LAB.folder]


@pytest.mark.parametrize("name, score", [
    ("right", 100), ("half", HALF), ("broken", 0), ("none", 0)])
def test_classroom50_gets_a_score(services, classroom50, name, score):
    played = services.play_classroom50(name, classroom50)
    played.outcome.expect(GRADED)
    results = played.results
    service_rules.check(results, service_rules.CLASSROOM50)
    assert (results["score"], results["max-score"]) == (score, 100)
    assert sum_of(results["tests"], "score") == score
    assert sum_of(results["tests"], "max-score") == 100
    status = "success" if score == 100 else "failure"
    assert played.output.startswith(f"status={status}\n")
    assert played.summary.startswith(f"### PagedLab: {score}/100 points, ")
    assert has_closed_fences(played.summary) and "| 1.3 popleft | " in played.summary
    extra = entry(results["tests"], "1.6 append_n (extra)", "test-name")
    expected = EXTRA_OF_APPEND_N if score == 100 else 0
    assert (extra["max-score"], extra["extra-score"]) == (0, expected)


def test_classroom50_without_a_variable_gets_no_result(services, classroom50):
    played = services.play_classroom50("right", classroom50, CLASSROOM="")
    played.outcome.expect(USAGE)
    assert played.results is None


@pytest.mark.parametrize("name, said", [
    ("broken", "does not compile"), ("none", "holds no file of any lab")])
def test_gradescope_gets_a_score_for_what_cannot_be_graded(services, name, said):
    results = play_gradescope(services, name).results
    assert results["score"] >= 0 and said in results["output"]


def test_gradescope_gets_a_score_when_the_time_is_over(services, kit):
    out = services.folder / "slow.json"
    kit.lab("results", "gradescope", services.folder / "submissions/slow", out, "--labs", "01",
            "--wall", "40", env={"LAB_ROOT": str(services.source / "kit"),
                                 "LAB_BUILD_DIR": str(services.source / "build")}).expect(GRADED)
    results = json.loads(out.read_text())
    service_rules.check(results, service_rules.GRADESCOPE)
    assert 0 < results["score"] < 100  # what has passed counts
    assert re.match(r"stopped after 40 seconds; lab 01: \d+ tests not run", results["output"])


def test_gradescope_gets_a_score_when_the_grader_is_broken(services):
    (services.source / "kit/lab").write_text("#!/bin/sh\nexit 3\n")
    results = play_gradescope(services, "right").results
    assert results["score"] >= 0
    assert "No score, and this is not your fault" in results["output"]
