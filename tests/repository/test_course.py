"""the course: sketches, exam questions and hours of docs/course/"""

import re
import sys
from xml.etree import ElementTree

import pytest

from kit import ROOT, labs
from texts import read, table_rows

sys.path.append(str(ROOT / "docs/site/generator"))
from board import sketch  # noqa: E402

NUM_SKETCHES, NUM_QUESTIONS = 10, 5
PLANS = ["## Six weeks: the allocator", "## Ten weeks: a server without a GPU",
         "## Fourteen weeks: all of it"]


def hours_in(text):
    """The first "4–6" of a text."""
    return [int(end) for end in re.search(r"(\d+)–(\d+)", text).groups()]


def test_a_lab_has_ten_sketches_and_all_can_be_drawn(lab):
    page = read(f"docs/course/board/{lab.id}.md")
    drawings = re.findall(r"^## (\d+)\. [^\n]*\n```text board\n(.*?)^```$", page, re.M | re.S)
    assert [int(number) for number, _ in drawings] == list(range(1, NUM_SKETCHES + 1))
    for _, drawing in drawings:
        assert ElementTree.fromstring(sketch(drawing)).find("svg") is not None


def test_a_lab_has_five_exam_questions_and_each_has_an_answer(lab):
    questions, answers = read(f"docs/course/exam/{lab.id}.md").split("\n## Answers\n")
    expected = [str(number) for number in range(1, NUM_QUESTIONS + 1)]
    for part in (questions, answers):
        assert re.findall(r"^\*\*Question (\d)\.\*\*", part, re.M) == expected
    assert len(re.findall("^```predict ", questions, re.M)) >= 2


def test_the_syllabus_has_the_hours_of_a_lab(lab):
    rows = [row for row in table_rows(read("docs/course/syllabus.md"))
            if row[0].startswith(f"[{lab.id} ")]
    assert [row[-1] for row in rows] == [lab.spec["hours"].replace("-", "–")]


@pytest.mark.parametrize("title", PLANS)
def test_the_weeks_of_a_plan_have_the_hours_that_it_names(title):
    plan = read("docs/course/syllabus.md").split(title)[1].split("\n## ")[0]
    weeks = [row for row in table_rows(plan) if row[0][:1].isdigit()]
    sums = [sum(ends) for ends in zip(*(hours_in(row[2]) for row in weeks))]
    assert hours_in(plan) == sums


def test_the_longest_plan_has_the_hours_of_all_labs():
    least, most = (sum(int(lab.spec["hours"].split("-")[end]) for lab in labs()) for end in (0, 1))
    assert hours_in(read("docs/course/syllabus.md").split(PLANS[2])[1]) == [least, most]


def parts_of(drawing, tag):
    return ElementTree.fromstring(sketch(drawing)).findall(f"svg/{tag}")


def test_a_sketch_has_boxes_of_which_one_is_filled_lines_and_words():
    drawing = "free: [3 12* 7] --> x\n        |\n  +-----+\n"
    assert [box.get("fill-opacity") for box in parts_of(drawing, "rect")] == ["0", "0.25", "0"]
    assert [word.text for word in parts_of(drawing, "text")] == ["free:", "3", "12", "7", "x"]
    arrow, piece, corner = [path.get("d") for path in parts_of(drawing, "path")]
    assert arrow.count("L") == 2 and piece.count("V") == 1 and corner.count("v-") == 1


def test_an_empty_list_is_one_box_and_a_sketch_that_is_too_wide_is_refused():
    assert len(parts_of("[]", "rect")) == 1
    with pytest.raises(ValueError, match="44 columns"):
        sketch("x" * 45)
