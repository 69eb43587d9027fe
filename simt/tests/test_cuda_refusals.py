"""CUDA on the CPU: refusals: what simt does not have is refused in one sentence"""

import re

import pytest

from kit import GRADED, ROOT, USAGE

FILE = "simt/tests/refused.cu"


def parts_of_file():
    """Each part begins with "#if defined(NAME)" or "#elif defined(NAME)". Its sentence follows
    "// refused: "; a part without one is accepted."""
    sentences = {}
    for number, line in enumerate((ROOT / FILE).read_text().splitlines(), 1):
        if part := re.fullmatch(r"#(?:el)?if defined\((\w+)\)", line):
            name = part[1]
            sentences[name] = None
        elif comment := re.search(r"// refused: (.*)", line):
            of_simt = "; what it has: simt/docs/simt.md" if "simt has no " in comment[1] else ""
            sentences[name] = f"{FILE}:{number}: {comment[1]}{of_simt}\n"
    return sentences


SENTENCES = parts_of_file()


def test_there_are_more_than_20_parts():
    assert len(SENTENCES) > 20


@pytest.mark.parametrize("part", SENTENCES)
def test_a_part_is_refused_in_one_sentence_or_accepted(kit, compiler, part):
    outcome = kit.lab("simt", FILE, "-D", part, "--compiler", compiler, "--no-profile",
                      env={"CUDA_HOME": "/nowhere"})
    if SENTENCES[part] is None:
        return outcome.expect(GRADED)
    outcome.expect(USAGE, SENTENCES[part])
    assert outcome.output.count("\n") == 1
