"""The course as a site: built by ./lab site, and the links in its pages."""

import re
from html import unescape
from urllib.parse import unquote

import pytest

from kit import ROOT, USAGE, Kit

TAG = re.compile("<[^>]*>")  # Why only tags: a text can be about HTML.
ID = re.compile(' id="([^"]*)"')
LINK = re.compile(' (?:href|src)="([^"]*)"')


def site_kit(kit):
    """Why one build folder for all files: the tools and the worked examples are made once."""
    return Kit(kit.program, kit.build.parent / "site")


def build_site(kit, name):
    folder = kit.build / name
    built = kit.lab("site", "--out", folder)
    if built.exit_code == USAGE:
        pytest.skip(f"needs the tools of the site: {built.output}")
    shown = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else folder
    built.expect(0, f"open {shown / 'index.html'}")
    return folder


def tags_of(page):
    return "\n".join(TAG.findall(page.read_text()))


def target_of(page, link):
    """The file that a link of a page leads to, and the place in it."""
    path, _, anchor = unquote(unescape(link)).partition("#")
    return (page.parent / path).resolve() if path else page, anchor


def broken_links(folder):
    """How many links the pages have, and a line for each that leads nowhere. Links to other servers
    are not followed."""
    folder = folder.resolve()
    tags = {page: tags_of(page) for page in sorted(folder.rglob("*.html"))}
    anchors = {page: set(ID.findall(text)) for page, text in tags.items()}
    links = [(page, link) for page, text in tags.items() for link in LINK.findall(text)]
    broken = []
    for page, link in links:
        if link.startswith(("http", "data:")):
            continue
        target, anchor = target_of(page, link)
        if not target.exists() or anchor and anchor not in anchors.get(target, ()):
            broken.append(f"{page.relative_to(folder)}: {link}")
    return len(links), broken
