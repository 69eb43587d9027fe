"""pages about CUDA: they show what the commands print, and their examples are clean or broken"""

import functools
import re

import pytest

from kit import GRADED, NOT_FULL, ROOT

PAGES = ["simt.md", "simt-reference.md", "cuda-in-an-hour.md"]
EXAMPLES = sorted(str(file.relative_to(ROOT)) for file in (ROOT / "simt/examples").rglob("*.cu"))


@pytest.fixture(scope="module")
def outcome_of(kit):
    """Runs each command once, however many pages show a part of its output."""
    @functools.cache
    def outcome(command):
        return kit.lab(*command.split())
    return outcome


def transcripts_of(page):
    """The blocks "console" of a page: "$ ./lab simt ...", and what that printed."""
    text = (ROOT / "simt/docs" / page).read_text()
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        yield from re.findall(r"^\$ \./lab (.*)\n((?:(?!\$ \./lab ).*\n)*)", block, re.M)


def pattern_of(shown):
    """A line "..." stands for any number of lines."""
    lines = shown.splitlines(keepends=True)
    return "".join(r"(?:.*\n)*" if line == "...\n" else re.escape(line) for line in lines)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_shows_what_its_commands_print(outcome_of, page):
    transcripts = list(transcripts_of(page))
    assert transcripts
    for command, shown in transcripts:
        printed = outcome_of(command).output
        assert re.fullmatch(pattern_of(shown), printed), f"$ ./lab {command}\n{printed}"


@pytest.mark.parametrize("file", EXAMPLES)
def test_an_example_is_clean_and_a_broken_one_has_findings(outcome_of, file):
    is_broken = "/broken/" in file
    outcome_of(f"simt {file}").expect(NOT_FULL if is_broken else GRADED)
