"""report in a browser: the page of ./lab class"""

import json

import pytest

from browser import (DESK, PHONE, count, expect_both_themes, expect_narrow, set_width,
                     text_of)
from kit import NOT_FULL, labs

pytestmark = pytest.mark.full

LONG_NAME = "lovelace_12345_a_name_of_a_service_01"
FLAG = "a_file_with_a_long_name.cpp refers to <img src=x>"


def queue_test(points):
    """A core test of step 1.2, with at most 20 points."""
    return {"name": "Queue.Removes", "step": "1.2", "kind": "core", "status": "fail", "fix": "",
            "points": points, "max_points": 20}


def report_of(folder, points):
    """No point of any lab, and one flag: as ./lab class keeps it for its next run."""
    report = {"tree": str(folder), "score": 0, "max_score": 700, "extra": 0, "seed": 42,
              "kit": {"version": "", "commit": ""}, "compiler": {"name": "", "options": ""},
              "date": "", "score_sheet_digest": "", "isolation": []}
    report["labs"] = [
        {"id": lab.id, "score": 0, "max_score": 100, "extra": 0, "state": "does not compile",
         "message": "a.cpp:3:5: error: no <b> here\nint x", "diagnosis": "", "steps": [],
         "tests": [queue_test(points)] if lab.id == "01" else [],
         "flags": [FLAG] if lab.id == "01" else []} for lab in labs()]
    return report


@pytest.fixture(scope="module")
def class_page(kit):
    """Why made up: to grade seven labs takes minutes. A run takes what an earlier one has kept."""
    folder, out = kit.new_folder("class"), kit.new_folder("class-report")
    grade = ["class", folder, "--out", out]
    for name in ["<b>ada<", "copy", LONG_NAME]:
        (folder / name).mkdir()
        (folder / name / "notes.txt").write_text("no file of a lab\n")
    kit.lab(*grade).expect(NOT_FULL, "holds no file of any lab")

    for name, points in {"<b>ada<": 3, "copy": 20}.items():
        file = out / "submissions" / f"{name}.json"
        row = json.loads(file.read_text())
        row |= {"problem": "", "report": report_of(folder / name, points)}
        file.write_text(json.dumps(row))
    kit.lab(*grade).expect(NOT_FULL, "0/700")
    return out / "index.html"


@pytest.fixture
def page(show, class_page):
    show(class_page)


def test_each_submission_has_a_row_and_markup_is_text(page, browser):
    assert count(browser, ".submissions tbody tr") == 3
    assert text_of(browser, ".submissions tbody th") == "<b>ada<"
    assert count(browser, ".remarks summary") == 2
    assert count(browser, "img") == 0


@pytest.mark.parametrize("said", [
    "the same files: <b>ada<, copy",
    "lab 01 does not compile: a.cpp:3:5: error: no <b> here"])
def test_a_row_says_what_there_is_to_look_at(page, browser, said):
    assert said in text_of(browser, ".remarks")


@pytest.mark.parametrize("said", [
    f"{LONG_NAME}: holds no file of any lab",
    "<b>ada<, copy: lab 01: a.cpp:3:5: error: no <b> here"])
def test_the_list_at_the_end_says_what_there_is_to_look_at(page, browser, said):
    assert said in text_of(browser, "main > section:last-child")


def test_a_histogram_shows_how_many_have_how_many_points(page, browser):
    label = browser.execute_script("""
      const row = [...document.querySelectorAll(".tally tr")]
        .find((each) => each.innerText.startsWith("1.2 "));
      return row.querySelector(".histogram").getAttribute("aria-label")""")
    assert label == "3 to 4 points: 1; 20 points: 1"
    assert text_of(browser, ".most-lost") == "Most points are lost at 1.2 remove: 17 of 40."


def test_the_page_is_light_and_dark_and_fits_a_phone(page, browser):
    expect_both_themes(browser)
    expect_narrow(browser)


def test_points_and_remarks_need_no_scrolling_on_a_phone(page, browser):
    set_width(browser, PHONE)
    right = browser.execute_script("""
      const parts = document.querySelectorAll(".submissions :is(tbody th, td, summary, .note)");
      return Math.max(...[...parts].map((part) => part.getBoundingClientRect().right))""")
    assert 0 < right <= PHONE
    label = browser.execute_script("""
      const core = document.querySelector(".submissions td.score");
      return getComputedStyle(core, "::before").content""")
    assert label == '"core "'
    set_width(browser, DESK)
