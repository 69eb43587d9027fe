"""signatures.json: what is written of a known bug can be read, and a damaged file is refused"""

import json
import re

import pytest

from kit import BROKEN, GRADED, USAGE, lab_of
from submissions import variations

LAB = lab_of("01")
BUG = variations(LAB)[0].name
PATH = f"grader/proof/cases/{LAB.folder}/signatures.json"


def write_with(kit_copy, message):
    """This message in place of that of the bug's first test: the name of the test."""
    file = kit_copy.root / PATH
    bugs = json.loads(file.read_text())
    failing = next(bug["failing"] for bug in bugs if bug["name"] == BUG)
    test = next(iter(failing))
    failing[test] = message
    file.write_text(json.dumps(bugs))
    return test


@pytest.mark.parametrize("arguments", [["--explain", LAB.id], [LAB.id, "--bug", BUG]])
@pytest.mark.parametrize("message", ["expected free [1 2 0], yours is [0 2 1]", "3f0a"])
def test_a_message_that_is_no_digest_is_refused(kit_copy, arguments, message):
    test = write_with(kit_copy, message)
    refused = kit_copy.lab("signatures", *arguments)
    refused.expect(BROKEN, f"{PATH}: {BUG}, {test}: the message is no digest of 16 hexadecimal "
                           "digits; ./lab signatures writes it again")
    refused.expect_no("building", message)
    assert len(refused.output.splitlines()) == 1


def test_the_messages_of_a_bug_are_explained(kit):
    explained = kit.lab("signatures", "--explain", LAB.id, "--bug", BUG)
    explained.expect(GRADED, f"lab {LAB.id} {BUG}\n", ": agrees\n")
    explained.expect_no("written")
    assert re.search(r": agrees\n    \S", explained.output)


def test_a_bug_that_is_unknown_is_not_explained(kit):
    kit.lab("signatures", "--explain", "01", "--bug", "gone").expect(
        USAGE, "lab 01 has no known bug gone")
