"""What is expected of the functions of vLLM's test files, release by release."""

from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class Expected(NamedTuple):
    file: str  # "tests/v1/core/test_scheduler.py"
    function: str
    lab: str  # the last one whose code it calls; "--" for a function that is left out
    verdict: str  # which the solution gets
    why: str  # for the other two verdicts

    @property
    def name(self):
        return f"{self.file}::{self.function}"


def read(version):
    """A line is: LAB VERDICT FUNCTION | WHY. A line with a path is about the functions after it."""
    found, file = [], None
    for line in (HERE / f"expected-{version}.txt").read_text().splitlines():
        if line.startswith("tests/"):
            file = line
        elif line and not line.startswith("#"):
            what, _, why = line.partition(" | ")
            lab, verdict, function = what.split()
            found.append(Expected(file, function, lab, verdict, why))
    return found
