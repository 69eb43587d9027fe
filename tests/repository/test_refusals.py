"""refusals: each KV_REQUIRE has words of the contract and a test, and each Misuse a KV_REQUIRE"""

import re

from kit import ROOT, labs
from texts import expect_none, read

TABLE = "grader/proof/cases/refusals.txt"
NO_TEST = "no test: "


def rows():
    """(lab, rule, words, test) of each line; of one without a test, words and test are empty."""
    for paragraph in re.split(r"\n\n+", read(TABLE).strip()):
        head, *lines = paragraph.split("\n")
        if head.startswith("#"):
            continue
        for line in lines:
            words, _, test = ("", "", "") if line.startswith(NO_TEST) else line.partition(" | ")
            yield head[:2], head[3:], words, test


def rules():
    """(lab, rule) of each KV_REQUIRE of a solution and of what its lab gives."""
    for lab in labs():
        files = [*(ROOT / "solution" / lab.folder).iterdir(),
                 *(ROOT / "labs" / lab.folder).glob("given/*.h")]
        for file in files:
            for call in re.findall(r'KV_REQUIRE\(\s*((?:"[^"]*"\s*)+),', file.read_text()):
                yield lab.id, "".join(re.findall(r'"([^"]*)"', call))


def one_line(text):
    return " ".join(text.split())


def refusing_comments():
    """Each comment of a contract that speaks of a call that is refused, as one line."""
    for header in ROOT.glob("labs/0*/*.h"):
        for comment in re.findall(r"(?:^ *//.*\n)+", header.read_text(), re.M):
            if re.search("[Mm]isuse|[Rr]efuse", comment):
                yield one_line(comment.replace("//", " "))


def claims_of_misuse(lab):
    claims = read(f"grader/proof/cases/{lab.folder}/claims.txt").replace("\n  |", " |")
    return [one_line(words.removeprefix("Misuse: "))
            for words in re.findall(r"^(.*) \| misuse ", claims, re.M)]


def test_each_rule_is_in_the_table():
    assert {(lab, rule) for lab, rule, _, _ in rows()} == set(rules())


def test_the_words_are_in_the_contract():
    contract = "\n".join(refusing_comments())
    expect_none(f"{lab} {rule}: no contract says \"{words}\""
                for lab, rule, words, _ in rows() if words not in contract)


def test_the_tests_are_there():
    tests = {(lab.id, test["name"]) for lab in labs() for test in lab.spec["tests"]}
    expect_none(f"{lab} {rule}: there is no test {test}"
                for lab, rule, _, test in rows() if test and (lab, test) not in tests)


def test_each_claim_of_misuse_is_refused_by_a_rule(lab):
    said = [words for number, _, words, _ in rows() if number == lab.id and words]
    expect_none(f"no rule refuses \"{claim}\"" for claim in claims_of_misuse(lab)
                if not any(words in claim or claim in words for words in said))
