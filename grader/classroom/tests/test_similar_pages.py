"""report in a browser: the pages of ./lab similar"""

import shutil

import pytest

from browser import count, expect_both_themes, expect_narrow, text_of
from kit import GRADED, ROOT, copy_lab, lab_of

pytestmark = pytest.mark.full

# Whether the number of the last place is in view, on each side.
IS_IN_VIEW = """return [...document.querySelectorAll(".side")].map((side) => {
  const last = document.querySelectorAll(".places button").length;
  const number = side.querySelector(`.source [data-place="${last}"]`);
  const source = number.closest(".source").getBoundingClientRect();
  const box = number.getBoundingClientRect();
  return box.top >= source.top && box.bottom <= source.bottom;
})"""

MARKUP = """// <img src=x onerror="document.title = 'owned'">\n"""


@pytest.fixture(scope="module")
def pages(kit):
    """Two submissions with one text."""
    lab = lab_of("04")
    folder, out = kit.new_folder("class"), kit.new_folder("similar-report")
    for name in ["<b>ada<", "ben"]:
        copy_lab(lab, folder / name, "solution")
        shutil.copytree(ROOT / "grader/proof/cases" / lab.folder / "alternatives/two-maps",
                        folder / name / lab.folder, dirs_exist_ok=True)
    file = folder / "ben" / lab.folder / "copy_on_write.cpp"
    file.write_text(MARKUP + file.read_text())
    kit.lab("similar", folder, "--out", out).expect(GRADED)
    return out


@pytest.fixture
def pair(show, pages):
    show(pages / "pairs/lab04-0001.html")


def test_the_table_has_the_pair_and_fits_a_phone(show, browser, pages):
    show(pages / "index.html")
    assert count(browser, ".pairs tbody tr") == 1
    assert text_of(browser, ".pairs tbody a") == "<b>ada<, ben"
    expect_narrow(browser)


def test_a_pair_is_two_texts_with_marks(pair, browser):
    assert count(browser, ".side") == 2
    assert count(browser, ".side:first-child mark") > 20
    assert count(browser, ".side:last-child mark") > 20


def test_markup_is_text(pair, browser):
    assert text_of(browser, ".side h2") == "<b>ada<"
    assert text_of(browser, ".side:last-child .code").startswith("// <img src=x")
    assert "<b>ada<" in browser.title


def test_a_number_brings_its_place_into_view_on_both_sides(pair, browser):
    assert browser.execute_script(IS_IN_VIEW) != [True, True]
    browser.execute_script("[...document.querySelectorAll('.places button')].at(-1).click()")
    assert browser.execute_script(IS_IN_VIEW) == [True, True]


def test_a_pair_is_light_and_dark_and_fits_a_phone(pair, browser):
    expect_both_themes(browser)
    expect_narrow(browser)
