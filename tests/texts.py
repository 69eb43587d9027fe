"""The files of the kit, and the parts of a Markdown page."""

import os
import re
from functools import cache
from pathlib import Path

import pytest

from kit import ROOT

TEXTS = (".md", ".h", ".cpp", ".cu", ".cuh", ".py", ".txt", ".json", ".cmake", "")


@cache
def files_of_kit():
    """All files, as paths in the kit. Build folders and hidden folders are left out."""
    found = []
    for folder, folders, files in os.walk(ROOT):
        is_top = folder == str(ROOT)
        folders[:] = [name for name in folders
                      if not name.startswith(".") and not (is_top and name.startswith("build"))]
        found += [Path(folder, file).relative_to(ROOT) for file in files]
    return sorted(found)


def files_in(folders, *kinds):
    places = tuple(f"{folder}/" for folder in folders)
    return [file for file in files_of_kit()
            if str(file).startswith(places) and file.suffix in kinds]


@cache
def read(file):
    return (ROOT / file).read_text(errors="replace")


def expect_none(found):
    """Fails with a line for each."""
    __tracebackhide__ = True
    found = list(found)
    if found:
        pytest.fail("\n".join(found))


def texts_of_kit():
    """From each text file's path to what is in it."""
    return {file: read(file) for file in files_of_kit() if file.suffix in TEXTS}


def without_code_blocks(page):
    """The fenced blocks leave empty lines, so every other line keeps its number."""
    block = re.compile(r"^ *(`{3,}).*\n(?:.*\n)*? *\1`*$", re.M)
    return block.sub(lambda found: "\n" * found[0].count("\n"), page)


def table_rows(page):
    """The cells of each row of its tables."""
    return [[cell.strip() for cell in line.split("|")[1:-1]]
            for line in page.splitlines() if line.startswith("|")]


def anchors_of(page):
    """GitHub's names for its headings: "One file, two rows" -> "one-file-two-rows"."""
    headings = re.findall(r"^#+ (.*)", without_code_blocks(page), re.M)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


# GitHub's pages about the repository are two folders above its files. The first is about a
# workflow, the second about what site.yml has published.
ACTIONS = "../../actions/workflows/"
PUBLISHED = "../../deployments/github-pages"


def links_of(page):
    """The targets of [text](target) and of lines "[name]: target"."""
    text = without_code_blocks(page)
    return re.findall(r"\]\(([^)\n]*)\)", text) + re.findall(r"^\[.*?\]: (.*)", text, re.M)


def leads_somewhere(root, page, link):
    workflows = root / ".github/workflows"
    if link.startswith("http"):
        return True
    if link == PUBLISHED:
        return (workflows / "site.yml").exists()
    if link.startswith(ACTIONS):
        return (workflows / link.removeprefix(ACTIONS).partition("/")[0]).exists()

    target, _, anchor = link.partition("#")
    path = (root / page).parent / target if target else root / page
    return path.exists() and (not anchor or anchor in anchors_of(path.read_text()))


def broken_links(root, pages):
    """A line for each link of these pages, as paths in `root`, that leads nowhere. Links to other
    servers are not followed."""
    return [f"{page}: {link}" for page in pages for link in links_of((root / page).read_text())
            if not leads_somewhere(root, page, link)]
