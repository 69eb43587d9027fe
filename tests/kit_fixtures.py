"""What the tests of the kit may ask for. `pytest -k WORD` runs some of them."""

import os
import shutil
from pathlib import Path

import pytest

from fake_cmake import FakeCMake
from kit import ROOT, Kit, from_pypi, labs, need, run


@pytest.fixture(scope="session")
def program():
    """The program that ./lab starts, with all its commands. ./lab test says where it is."""
    if "LAB_PROGRAM" in os.environ:
        return Path(os.environ["LAB_PROGRAM"])
    run([ROOT / "lab", "completion", "bash"]).expect(0)  # builds it
    return build_folder() / "tool" / "lab_kit"


def build_folder():
    return Path(os.environ.get("LAB_BUILD_DIR", ROOT / "build/lab"))


@pytest.fixture(scope="module")
def kit(program, request):
    build = build_folder() / "tests" / request.module.__name__
    build.mkdir(parents=True, exist_ok=True)
    return Kit(program, build)


@pytest.fixture(scope="module", params=labs(), ids=lambda lab: lab.folder)
def lab(request):
    """A test that asks for it runs once for each lab."""
    return request.param


@pytest.fixture(scope="module")
def kit_copy(kit):
    """A copy of the kit that a test may damage, with a build folder in it."""
    root = kit.new_folder("a copy with spaces")
    parts = ["CMakeLists.txt", "VERSION", "cmake", "labs", "starter", "solution", "reference",
             "base", "apps", "grader", "simt", "tests", "conftest.py", "pytest.ini"]
    run(["cp", "-r", *[ROOT / part for part in parts], root]).expect(0)
    yield Kit(kit.program, root / "build", root)
    shutil.rmtree(root)


@pytest.fixture
def fake_cmake(kit):
    return FakeCMake(kit)


@pytest.fixture(scope="session")
def clang_format():
    """Why of one version: each formats some lines in its own way."""
    return from_pypi(build_folder(), "clang-format", "14.0.6")


@pytest.fixture(params=["g++", pytest.param("clang++", marks=pytest.mark.full)])
def compiler(request):
    """A test that asks for it runs with g++, and where all tests run with each compiler."""
    need(request.param)
    return request.param


@pytest.fixture(scope="module")
def browser():
    """Why not imported above: only tests in a browser need selenium."""
    from browser import start_browser
    browser = start_browser()
    yield browser
    browser.quit()


@pytest.fixture
def show(browser):
    """Opens a page. Until the test ends it makes no error on the console and no request."""
    from browser import complaints
    addresses = []

    def open_page(file):
        addresses.append(file.as_uri())
        browser.get(addresses[-1])

    yield open_page
    assert complaints(browser, *addresses) == []


def pytest_collection_modifyitems(items):
    """Files that say so come first: what they build is then in the compiler's cache for others."""
    items.sort(key=lambda item: not getattr(item.module, "BUILDS_FOR_OTHERS", False))
