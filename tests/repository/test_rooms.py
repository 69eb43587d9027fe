"""rooms of the program: which folder may include which (grader/README.md, "The rooms")"""

import re
from collections import Counter
from graphlib import CycleError, TopologicalSorter

import pytest

from texts import expect_none, files_in, read

# A file includes files of its own floor and of those before it.
FLOORS = [
    "base",
    "simt",
    "grader/harness",
    "grader/engine",
    "grader/desk",
    "apps",
    "grader/classroom",
    "grader/proof",
    "grader/programs",
]

# Folders that are a product of their own, or that students read: what their files may include.
NEEDS = {
    "base": [],
    "simt": ["base/"],
    "labs": ["base/", "grader/harness/", "simt/include/"],
    "starter": [],
    "solution": [],
    "reference": [],
}
TOPS = ["apps", "base", "grader", "simt"]

# Why one file of a program: CLI11 takes seconds to compile, and a header would give it to all of
# them. A bench is one file, and replay is built with a student's files, without base/commands.
INCLUDE_CLI11 = [
    "apps/replay/options.cpp",
    "base/commands/command_line.cpp",
    "labs/05-paged-attention/bench/attention_bench.cpp",
    "labs/07-serving/bench/serving_bench.cpp",
]


def floor_of(room):
    """Its place in FLOORS; their number if it is in none."""
    places = [place for place, floor in enumerate(FLOORS) if f"{room}/".startswith(f"{floor}/")]
    return places[0] if places else len(FLOORS)


@pytest.fixture(scope="module")
def arrows():
    """(room, other room, line): each include that leads from a room to another one."""
    found = []
    for file in files_in(["apps", "base", "simt", "grader"], ".h", ".cpp"):
        room = str(file.parent)
        if floor_of(room) == len(FLOORS):
            continue
        for line in re.findall('^#include "(?:apps|base|simt|grader)/.*', read(file), re.M):
            other = line.split('"')[1].rpartition("/")[0]
            if other != room:
                found.append((room, other, f"{file}: {line}"))
    assert found
    return found


def test_no_file_includes_one_of_a_later_floor(arrows):
    expect_none(line for room, other, line in arrows if floor_of(other) > floor_of(room))


@pytest.mark.parametrize("folder,needs", NEEDS.items(), ids=NEEDS)
def test_a_folder_includes_what_it_needs_and_nothing_else(folder, needs):
    places = {str(file): file.parts[0] for file in files_in(TOPS, ".h", ".cpp", ".cu", ".cuh")}
    included = {(str(file), path) for file in files_in([folder], ".h", ".cpp", ".cu", ".cuh")
                for path in re.findall('^#include "(.*)"', read(file), re.M)}
    assert included
    expect_none(f"{file}: {path}" for file, path in included
                if path in places and not path.startswith((f"{folder}/", *needs)))


def test_no_circle_of_includes_between_rooms(arrows):
    rooms = TopologicalSorter()
    for room, other, _ in arrows:
        rooms.add(room, other)
    try:
        rooms.prepare()
    except CycleError as error:
        circle = error.args[1]
        expect_none(line for room, other, line in arrows if {room, other} <= set(circle))


def test_one_source_file_of_a_program_includes_cli11():
    files = files_in([*TOPS, *NEEDS], ".h", ".cpp", ".cu", ".cuh", ".inc")
    including = {str(file) for file in files if re.search('^#include [<"]CLI/', read(file), re.M)}
    assert sorted(including) == INCLUDE_CLI11


def test_a_name_of_a_file_is_there_once():
    names = Counter(file.name for file in files_in(["base", "grader"], ".h", ".cpp")
                    if not {"harness", "cases", "new_lab"} & set(file.parts))
    assert names
    expect_none(f"{name} is there {number} times" for name, number in names.items() if number > 1)
