"""./lab viva: questions from a student's own code, whose answers are true"""

import html
import json
import re
import shutil

import pytest

from kit import GRADED, ROOT, USAGE, copy_lab, lab_of

LAB = lab_of("01")


class Page:
    def __init__(self, file):
        asked, answered = file.read_text().split('<section class="answers">')
        self.questions = [html.unescape(text) for text in re.findall("<li><p>(.*?)</p>", asked)]
        self.code = self.blocks(asked)
        self.answers = self.blocks(answered)

    @staticmethod
    def blocks(text):
        return [html.unescape(block).split("\n")
                for block in re.findall("<pre>(.*?)</pre>", text, re.S)]


@pytest.fixture(scope="module")
def work(kit):
    folder = kit.new_folder("viva-works") / "lovelace_12345"
    copy_lab(LAB, folder, "solution")
    return folder


def page_for(kit, work, *options):
    out = kit.build / "viva.html"
    kit.lab("viva", work, "01", "--out", out, *options).expect(GRADED, " questions")
    return Page(out)


@pytest.fixture(scope="module")
def page(kit, work):
    return page_for(kit, work)


def first_failure_without(kit, work, question, code):
    """The test that fails first when the lines of a question are taken out."""
    line, name = re.search(r", line (\d+) of (\S+):", question).groups()
    tree = kit.new_folder("viva-changed")
    shutil.copytree(work, tree, dirs_exist_ok=True)
    file = tree / LAB.folder / name
    lines = file.read_text().split("\n")
    at = int(line) - 1
    assert [text.strip() for text in lines[at:at + len(code)]] == [text.strip() for text in code]
    file.write_text("\n".join(lines[:at] + lines[at + len(code):]))
    report = kit.build / "viva.json"
    kit.lab("grade", "01", "--tree", tree, "--json", report).expect(GRADED)
    tests = json.loads(report.read_text())["labs"][0]["tests"]
    return next(test["name"] for test in tests if test["status"] != "pass")


def test_there_are_three_to_five_and_each_has_an_answer(page):
    assert 3 <= len(page.questions) <= 5
    assert len(page.code) == len(page.answers) == len(page.questions)
    assert any("calls" in question for question in page.questions)


def test_the_answer_about_a_line_is_true(kit, work, page):
    about = [at for at, question in enumerate(page.questions) if "taken out" in question]
    assert about
    for at in about:
        first = first_failure_without(kit, work, page.questions[at], page.code[at])
        assert page.answers[at][0].startswith(f"{first} (step ")


def test_what_was_given_is_not_asked_about(page):
    given = "".join((ROOT / "starter" / LAB.folder / file).read_text() for file in LAB.files)
    about = [code for code, question in zip(page.code, page.questions) if ", line " in question]
    assert about and not [code for code in about if all(line in given for line in code)]


def test_another_name_gets_other_questions_and_the_same_name_the_same(kit, work, page):
    neighbor = work.with_name("turing_23456")
    shutil.copytree(work, neighbor, dirs_exist_ok=True)
    assert page_for(kit, neighbor).code != page.code
    assert page_for(kit, work).code == page.code


def test_what_is_not_written_is_not_asked_about(kit):
    starter = kit.new_folder("viva-starter")
    copy_lab(LAB, starter, "starter")
    kit.lab("viva", starter, "01").expect(USAGE, "nothing of lab 01 is written there")
    kit.lab("viva", starter, "02").expect(USAGE, "holds no file of lab 02")
