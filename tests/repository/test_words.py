"""documents: the words that no text uses, and comments that begin with half a sentence

The words are in phrases.txt."""

import re
from functools import cache
from pathlib import Path

import pytest

from texts import expect_none, read, texts_of_kit

PHRASES = Path("tests/repository/phrases.txt")
READMES_MAY = "outside READMEs: "

# Where a phrase means something else.
EXCEPTIONS = {
    ("law", "labs/06-cuda-kernel/OCCUPANCY.md"): "Little's law has this name",
}

# What may be between two words of a phrase, also at the end of a line of a comment or a string.
GAP = re.compile(r'[ "]*\n[ /#*>"]*| ')

# Why a small letter only after code: a line in the middle of a comment may begin with it.
HALF_SENTENCE = re.compile(r"(?:// |# )(?:Of|As|With)(?: |$)|\S  +(?://|#) of(?: |$)")
COMMENT_LINE = re.compile(r"[ +-]*(?://|# |#$)")  # a line of a known bug has + or - before it


@pytest.fixture(scope="module")
def texts():
    """Why not these: one is not ours, and two name the phrases."""
    left_out = ("LICENSE", "Apache-2.0.txt", PHRASES.name, Path(__file__).name)
    return {file: text for file, text in texts_of_kit().items() if file.name not in left_out}


@cache
def phrases():
    """Each with what to say in its place, and whether READMEs may use it, where they teach."""
    lines = [line.split(" | ") for line in read(PHRASES).splitlines() if " | " in line]
    return [(phrase, instead, phrases.startswith(READMES_MAY))
            for phrases, instead in lines
            for phrase in phrases.removeprefix(READMES_MAY).split(", ")]


def uses_in(file, text):
    """A phrase is a word or several: "law" is not in "claw", nor in the name "law_of"."""
    text = text.lower()
    in_one_line = GAP.sub(" ", text)
    is_readme = file.name in ("README.md", "HINTS.md")
    for phrase, instead, readmes_may in phrases():
        if phrase not in in_one_line or (phrase, str(file)) in EXCEPTIONS:
            continue
        if is_readme and readmes_may:
            continue
        words = f"(?:{GAP.pattern})".join(map(re.escape, phrase.split()))
        for use in re.finditer(rf"(?<!\w){words}(?!\w)", text):
            number = text.count("\n", 0, use.start()) + 1
            yield f'{file}:{number}: "{phrase}"; say: {instead}'


def half_sentences_in(file, text):
    """Why not every line: a line in the middle of a comment may go on with a sentence."""
    lines = text.splitlines()
    for number, (before, line) in enumerate(zip(["", *lines], lines), 1):
        if not HALF_SENTENCE.search(line):
            continue
        if not (COMMENT_LINE.match(before) and COMMENT_LINE.match(line)):
            yield f"{file}:{number}: say what it is or does: The cost of each item.\n{line}"


def test_no_text_uses_one_of_the_phrases(texts):
    assert phrases()
    expect_none(use for file, text in texts.items() for use in uses_in(file, text))


def test_a_phrase_is_found_across_the_end_of_a_line():
    text = "law_of claws\n// What hangs\n// on it.\n"
    assert [use[:8] for use in uses_in(Path("a.h"), text)] == ["a.h:2: \""]


def test_no_comment_begins_with_half_a_sentence(texts):
    expect_none(half for file, text in texts.items() if file.suffix != ".md"  # where # is a heading
                for half in half_sentences_in(file, text))


def test_a_comment_that_begins_with_half_a_sentence_is_found():
    text = ("// Of each b.\n// With a c it is a d.\nint e;  // As f.\n// The g.\n\n# With h.\n"
            "int i;  // of j.\n// The k\n// of l.\n")
    found = [half[:6] for half in half_sentences_in("a.h", text)]
    assert found == ["a.h:1:", "a.h:3:", "a.h:6:", "a.h:7:"]
