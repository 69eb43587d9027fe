"""the site: the course as pages, in which every link leads somewhere"""

import json
import re
import shutil

import pytest

from course_site import broken_links, build_site, site_kit
from kit import BROKEN, GRADED, ROOT, USAGE, labs


@pytest.fixture(scope="module")
def kit(kit):
    return site_kit(kit)


@pytest.fixture(scope="module")
def site(kit):
    return build_site(kit, "site")


def test_no_link_in_the_pages_is_broken(site):
    num_links, broken = broken_links(site)
    assert num_links > 10_000
    assert not broken, "\n".join(broken)


def test_a_link_to_no_page_to_no_heading_and_to_no_picture_is_found(kit):
    folder = kit.new_folder("planted")
    (folder / "other.html").write_text('<p id="here">text</p>')
    (folder / "page.html").write_text(
        '<a href="other.html#here">a</a> <a href="other.html#gone">b</a>'
        ' <a href="gone.html">c</a> <img src="gone.svg">')
    found = ["page.html: other.html#gone", "page.html: gone.html", "page.html: gone.svg"]
    assert broken_links(folder) == (4, found)


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_readme_hints_contracts_and_worked_example_of_a_lab_are_pages(site, lab):
    names = ["index.html", "HINTS.html", *(f"{header}.html" for header in lab.spec["headers"])]
    if (ROOT / "labs" / lab.folder / "tests/worked_example.txt").exists():
        names.append("worked_example.html")
    pages = [site / "labs" / lab.folder / name for name in names]
    assert [page for page in pages if not page.exists()] == []


@pytest.mark.parametrize("lab", labs(), ids=lambda lab: lab.id)
def test_invariants_in_the_contracts_of_a_lab_lead_to_their_row(site, lab):
    table = (ROOT / "docs/invariants.md").read_text()
    invariants = set(re.findall(r"^\| \*\*(I\d+)\*\*", table, re.M))
    unlinked = []
    for header in lab.spec["headers"]:
        contract = (ROOT / "labs" / lab.folder / header).read_text()
        page = (site / "labs" / lab.folder / f"{header}.html").read_text()
        for name in invariants & set(re.findall(r"\bI\d+\b", contract)):
            link = f'docs/invariants.html#{name.lower()}">{name}</a>'
            unlinked += [] if link in page else [f"{header}: {name}"]
    assert invariants and unlinked == []


def test_no_solution_is_a_page(site):
    assert not (site / "solution").exists()


def test_a_folder_with_other_files_is_refused_and_they_are_kept(site, kit):
    folder = kit.new_folder("other files")
    (folder / "other.html").write_text("text")
    kit.lab("site", "--out", folder).expect(USAGE, "files that are no site")
    assert (folder / "other.html").read_text() == "text"


@pytest.fixture
def small_kit(site, kit):
    """Two texts and no lab, which are a site in a second. The tools are there after `site`."""
    root = kit.new_folder("small kit")
    shutil.copytree(ROOT / "docs/site", root / "docs/site")
    (root / "labs").mkdir()
    manifest = json.loads((ROOT / "labs/manifest.json").read_text())
    (root / "labs/manifest.json").write_text(json.dumps({**manifest, "labs": []}))
    (root / "docs/getting-started.md").write_text("# Start\n")
    (root / "README.md").write_text("# Kit\n\n[a](docs/getting-started.md#start)\n")
    return root


def test_a_text_with_a_broken_link_is_refused_and_the_link_is_named(small_kit, kit):
    build = ["site", "--out", small_kit / "out"]
    of_small_kit = {"LAB_ROOT": str(small_kit)}
    kit.lab(*build, env=of_small_kit).expect(GRADED, "2 pages")

    with (small_kit / "README.md").open("a") as readme:
        readme.write("[b](gone.md) [c](docs/getting-started.md#gone)\n")
    kit.lab(*build, env=of_small_kit).expect(BROKEN, "'gone.md'", "getting-started.md#gone")
