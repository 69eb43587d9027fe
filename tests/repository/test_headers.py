"""headers: each compiles by itself, so a file may include it first"""

from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import need, run
from texts import expect_none, files_in

# Why not the CUDA ones, *.cuh: a simulator's compilation changes them first.
ROOMS = ["apps", "base", "grader", "labs", "reference", "simt"]

# What is included in one place and nowhere else.
PARTS = [
    "labs/07-serving/given/scheduler_parts.h",  # the end of scheduler.h
    "labs/07-serving/given/engine_parts.h",  # the end of engine.h
    "simt/tests/bugs/run_bugs.h",  # CUDA, after the bugs of a program
]


# The last folder has Eigen, as the package of Debian puts it. CMake defines the macro.
OPTIONS = ["-I.", "-Ilabs", "-Isimt/include", "-isystem", "/usr/include/eigen3",
           '-DKV_KIT_FOLDER=""']


def complaint_about(header):
    """What the compiler says about a file with this include and nothing else."""
    outcome = run(["g++", "-std=c++20", "-fsyntax-only", *OPTIONS, "-x", "c++", "-"],
                  stdin=f'#include "{header}"\n')
    return "" if outcome.exit_code == 0 else f"{header}: {outcome.output}"


# Why of the full test: half a second for each of 400 headers.
@pytest.mark.full
@pytest.mark.parametrize("room", ROOMS)
def test_a_header_compiles_by_itself(room):
    need("g++")
    headers = [str(file) for file in files_in([room], ".h") if str(file) not in PARTS]
    assert headers
    with ThreadPoolExecutor(2) as pool:
        expect_none(filter(None, pool.map(complaint_about, headers)))
