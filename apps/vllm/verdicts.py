"""What became of a function, from what became of its cases."""

from typing import NamedTuple

PASSES, FAILS, CRASHES, WAITS, LEFT_OUT = "passes", "fails", "crashes", "waits", "left-out"
DECIDED = "decided"  # fails, and expected.py says why it is right


class Verdict(NamedTuple):
    word: str
    num_cases: int = 1
    case: object = None  # the record that the word is about


def of_case(record):
    if record.outcome == "passed":
        return PASSES
    if record.error == "Needs" or record.outcome == "skipped":
        return LEFT_OUT
    if record.error == "NotWritten":
        return WAITS
    return CRASHES if record.outcome == "crashed" or record.error == "Broken" else FAILS


def of_function(records):
    """The worst of its cases. Those that need what is left out say nothing, if there are others."""
    told = [record for record in records if of_case(record) != LEFT_OUT] or records
    for word in (CRASHES, FAILS, WAITS, LEFT_OUT):
        bad = next((record for record in told if of_case(record) == word), None)
        if bad:
            return Verdict(word, len(told), bad)
    return Verdict(PASSES, len(told))


def by_function(records):
    """From (file, function) to its verdict, and the steps that its cases called."""
    cases = {}
    for record in records:
        cases.setdefault((record.file, record.function), []).append(record)
    return {name: (of_function(found), sorted({step for record in found for step in record.calls},
                                              key=lambda step: [int(n) for n in step.split(".")]))
            for name, found in cases.items()}
