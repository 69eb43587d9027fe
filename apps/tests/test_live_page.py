"""the page without a server, opened: as a file, and from a plain server of files"""

import pytest

from browser import click, complaints, text_of
from server import wait_until
from static_page import static_page
from web_server import web_server

BUILDS_FOR_OTHERS = True  # all labs, for browsers

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def folder(kit):
    return static_page(kit, "solution", "page")


@pytest.mark.parametrize("place", ["file", "server", "subfolder"])
def test_the_page_answers_wherever_it_lies(folder, browser, place):
    with web_server(folder.parent if place == "subfolder" else folder) as url:
        address = {"file": (folder / "index.html").as_uri(), "server": url,
                   "subfolder": f"{url}{folder.name}/"}[place]
        browser.get(address)
        wait_until(lambda: text_of(browser, ".blocks .grid"))
        click(browser, "Eight users")
        wait_until(lambda: text_of(browser, ".answer .output"))
        assert complaints(browser, address.rpartition("/")[0], "blob:") == []


def test_a_page_without_its_engine_says_so(kit, folder, browser):
    alone = kit.new_folder("alone")
    (alone / "index.html").write_text((folder / "index.html").read_text())
    browser.get((alone / "index.html").as_uri())
    wait_until(lambda: "engine.js is not beside this page" in text_of(browser, ".notice"))
    browser.get("about:blank")
    complaints(browser)  # that the file is missing is one
