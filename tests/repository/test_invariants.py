"""documents: headers and READMEs quote the invariants of docs/invariants.md"""

import re

import pytest

from kit import labs
from texts import expect_none, read, table_rows


@pytest.fixture(scope="module")
def invariants():
    table = read("docs/invariants.md").partition("\n## ")[0]
    found = {row[0].strip("*"): row[1] for row in table_rows(table) if row[0].startswith("**I")}
    assert found
    return found


def quotes(text, start, mark, more):
    """("I5", sentences) of each line that begins with `start`, a name and `mark`, and of the lines
    after it that begin with `more`."""
    found = re.findall(rf"^{start}(I\d+){mark}(.*(?:\n{more}.*)*)", text, re.M)
    return [(name, re.sub(rf" *\n{more} *", " ", text).strip()) for name, text in found]


def quotes_of_headers(lab):
    return [quote for header in lab.spec["headers"]
            for quote in quotes(read(f"labs/{lab.folder}/{header}"), "//   ", "  ", "//       ")]


def quotes_of_readme(lab):
    return quotes(read(f"labs/{lab.folder}/README.md"), r"- \*\*", r"\*\*", "  ")


def test_a_lab_quotes_the_invariants(lab, invariants):
    for name, sentences in quotes_of_headers(lab):
        assert (name, sentences) == (name, invariants.get(name))
    for name, sentences in quotes_of_readme(lab):  # which may add what follows from it
        expected = invariants.get(name, "no such invariant")
        assert (name, sentences[:len(expected)]) == (name, expected)


@pytest.mark.parametrize("quotes_of", [quotes_of_headers, quotes_of_readme])
def test_each_invariant_is_quoted(quotes_of, invariants):
    quoted = {name for lab in labs() for name, _ in quotes_of(lab)}
    expect_none(name for name in invariants if name not in quoted)
