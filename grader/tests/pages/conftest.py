"""What the tests of pages may ask for."""

import pytest

from browser import complaints, start_browser


@pytest.fixture(scope="module")
def browser():
    browser = start_browser()
    yield browser
    browser.quit()


@pytest.fixture
def show(browser):
    """Opens a page. Until the test ends it makes no error on the console and no request."""
    addresses = []

    def open_page(file):
        addresses.append(file.as_uri())
        browser.get(addresses[-1])

    yield open_page
    assert complaints(browser, *addresses) == []
