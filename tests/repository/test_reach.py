"""./lab test --changed: what a change can break, compared with the includes"""

import re
from dataclasses import dataclass
from functools import cache

from kit import ROOT, labs
from texts import expect_none, files_in, read

TABLE = "grader/proof/check/reach.txt"
SOURCES = ["apps", "base", "grader", "labs", "reference", "simt", "solution", "starter"]
HAVE_EVERY_CHECK = ("grader/proof/", "grader/programs/")


@dataclass
class Row:
    place: str
    groups: set
    labs: set
    tests: set


@cache
def rows():
    cells = [line.split("|") for line in read(TABLE).splitlines()
             if line and not line.startswith("#")]
    return [Row(place.strip(), *(set(cell.split()) for cell in rest)) for place, *rest in cells]


@cache
def known_labs():
    return [(lab.id, lab.folder, {lab.id, *lab.spec["needs"]}) for lab in labs()]


def labs_of(row, file):
    """What is for all labs is spelled out, and "its": the file's lab and those that need it."""
    own = {number for number, folder, _ in known_labs() if f"/{folder}/" in file}
    its = {number for number, _, linked in known_labs() if not own or own & linked}
    spelled_out = {"all": {number for number, *_ in known_labs()}, "its": its}
    return set().union(*(spelled_out.get(word, {word}) for word in row.labs))


@cache
def reach_of(file):
    """The checks that a change of a file needs; of tests, the beginnings of their paths."""
    row = next(row for row in rows() if file.startswith(row.place))
    chosen = labs_of(row, file)
    named = chosen if "named" in row.tests else set()
    tests = {"" if test == "all" else test for test in row.tests - {"named"}}
    return Row(row.place, row.groups, chosen, tests), named


def included_files():
    """(file, the file that it includes)"""
    files = {str(file) for file in files_in(SOURCES, ".h", ".cpp", ".cu", ".cuh")}
    for file in sorted(files):
        for path in re.findall('^#include "(.*)"', read(file), re.M):
            yield from ((file, place) for place in (path, f"labs/{path}") if place in files)


def has_fewer(file, user):
    (ours, named), (theirs, more_named) = reach_of(user), reach_of(file)
    are_tests_there = all(test.startswith(tuple(theirs.tests)) for test in ours.tests)
    are_named_there = "" in theirs.tests or named <= more_named
    return not (ours.groups <= theirs.groups and ours.labs <= theirs.labs
                and are_tests_there and are_named_there)


def test_a_change_breaks_what_a_change_of_its_users_can_break():
    pairs = [(user, file) for user, file in included_files()
             if not user.startswith(HAVE_EVERY_CHECK)]
    assert len(pairs) > 1000
    expect_none({f"{file} is included by {user}, and its row has fewer checks"
                 for user, file in pairs if has_fewer(file, user)})


def test_each_row_is_for_a_place_and_runs_tests_that_are_there():
    table = rows()
    assert table[-1].place == ""
    expect_none(f"there is no {row.place}" for row in table if not (ROOT / row.place).exists())
    expect_none(f"no test is at {test}" for row in table for test in row.tests - {"all", "named"}
                if not any(ROOT.glob(f"{test}*")))


def test_no_row_is_hidden_by_one_before_it():
    places = [row.place for row in rows()]
    expect_none(f"{later} comes after {place}" for at, place in enumerate(places)
                for later in places[at + 1:] if later.startswith(place))
