"""the site in a browser: opened from a file, on a phone, searched"""

import pytest
from selenium.webdriver.support.wait import WebDriverWait

from browser import DESK, PHONE, complaints, count, set_width, width_of
from course_site import build_site, site_kit
from kit import labs

pytestmark = pytest.mark.full

# Why looked for: an answer that is open is read before the question.
OPEN_ANSWERS = "details[open], h2#answers ~ div.highlight"

SEARCH = """
  const query = document.querySelector(".md-search__input");
  query.focus();
  query.value = arguments[0];
  query.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }))"""

FOUND = """return [...document.querySelectorAll(".md-search-result__item > a")]
  .map((link) => new URL(link.href).pathname)"""


@pytest.fixture(scope="module")
def site(kit):
    return build_site(site_kit(kit), "site in a browser")


def complaints_of_site(browser):
    return complaints(browser, "file:", "data:")


@pytest.fixture
def phone(browser):
    set_width(browser, PHONE)
    yield browser
    set_width(browser, DESK)


def faults_of(phone, page):
    phone.get(page.as_uri())
    width, num_open = width_of(phone), count(phone, OPEN_ANSWERS)
    faults = complaints_of_site(phone)
    faults += [f"{width} pixels wide"] if width > PHONE else []
    faults += [f"{num_open} answers or hints are not folded"] if num_open > 0 else []
    return [f"{page}: {fault}" for fault in faults]


def expect_sound(phone, pages):
    """As wide as a phone, no error, no request, answers folded."""
    faults = [fault for page in pages for fault in faults_of(phone, page)]
    assert pages
    assert not faults, "\n".join(faults)


def test_a_search_finds_the_glossary_first_and_needs_no_server(browser, site):
    browser.get((site / "index.html").as_uri())
    browser.execute_script(SEARCH, "null block")
    found = WebDriverWait(browser, 10).until(lambda browser: browser.execute_script(FOUND))
    assert found[0].endswith("/docs/glossary.html")
    assert complaints_of_site(browser) == []


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_the_pages_of_a_lab_are_sound(phone, site, lab):
    names = ["index", "HINTS", *lab.spec["headers"]]
    expect_sound(phone, [site / "labs" / lab.folder / f"{name}.html" for name in names])


@pytest.mark.parametrize("folder", ["docs", "docs/course", "docs/course/board", "."])
def test_the_pages_of_a_folder_are_sound(phone, site, folder):
    expect_sound(phone, sorted((site / folder).glob("*.html")))
