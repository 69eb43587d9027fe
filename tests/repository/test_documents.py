"""documents: labs, points, hours and contracts, wherever they are named"""

import html
import os
import re

import pytest

from kit import ROOT, labs
from texts import expect_none, read, table_rows

MAX_ENTRIES = 13  # entries of a lab's folder: what a student sees at the first look


def points_of(lab, kind, step=None, left_out=None):
    """The points of a lab or of one of its steps, without those of a group of tests."""
    return sum(test["points"] for test in lab.tests
               if test["kind"] == kind and step in (None, test["step"])
               and test.get("group", "step") != left_out)


def num_core_stubs(lab):
    sources = "".join(read(f"starter/{lab.folder}/{file}") for file in lab.files)
    return sum(points_of(lab, "core", step) > 0
               for step in re.findall(r'KV_TODO\("([\d.]+) ', sources))


def named_labs(page):
    """(line, id, name) of each cell "04 KV cache manager" or "[04 KV cache manager](page)"."""
    for line in page.splitlines():
        for cell in sum(table_rows(line), []):
            if found := re.match(r"\[?(\d\d) (\D.*?)(?: \(|\]|$)", cell):
                yield line, found[1], found[2].lower()


@pytest.mark.parametrize("page", ["README.md", "grader/classroom/docs/term.md"])
def test_a_table_of_labs_is_the_manifests(page):
    """A row says "coming" or "planned" if and only if the manifest has no such lab."""
    here = {lab.id: lab.folder[3:].replace("-", " ") for lab in labs()}
    rows = list(named_labs(read(page)))
    for line, number, name in rows:
        is_coming = "coming" in line or "planned" in line
        assert here.get(number) == (None if is_coming else name), line
    named = [number for _, number, _ in rows]
    expect_none(f"no row for lab {number} {name}" for number, name in here.items()
                if number not in named)


def test_the_version_is_the_same_wherever_it_is_named():
    version = read("VERSION").strip()
    assert re.search(r"^## (.*)$", read("CHANGELOG.md"), re.M)[1] == version
    assert f"\nversion: {version}\n" in read("CITATION.cff")


def test_the_readme_shows_what_the_first_grading_prints():
    core, extra = (sum(points_of(lab, kind) for lab in labs()) for kind in ("core", "extra"))
    hours = [lab.spec["hours"].split("-") for lab in labs()]
    least, most = (sum(int(ends[at]) for ends in hours) for at in (0, -1))
    expected = [
        rows_of_first_grading(labs()[0]),
        f"core stubs left: {sum(map(num_core_stubs, labs()))})",
        f"total 0/{core} core, +0/{extra} extra",
        f"{least}–{most} hours",
    ]
    expect_none(part for part in expected if part not in read("README.md"))


def rows_of_first_grading(lab):
    title = f"lab {lab.id}  {lab.spec['title']}"
    core, extra = points_of(lab, "core"), points_of(lab, "extra")
    step = lab.steps[0]
    return (f"{title:29}not started         0/{core}  +0/{extra}\n"
            f"    first read  labs/{lab.folder}/README.md"
            f"  (the lab takes {lab.spec['hours']} hours)\n"
            f"    next: write step {step['step']} {step['name']}"
            f" in starter/{lab.folder}/{step['file']}\n")


def test_the_readme_has_the_hours_of_a_lab(lab):
    hours = re.findall(rf"^\| \[{lab.id} .* \| (.*) \|$", read("README.md"), re.M)
    assert hours == [lab.spec["hours"].replace("-", "–")]


def test_the_readme_has_the_points_of_a_step():
    points = {lab.heading(step["step"]): points_of(lab, "core", step["step"])
              for lab in labs() for step in lab.steps}
    rows = re.findall(r"^    (\d+\.\d+ \S.*?)  .*/(\d+)$", read("README.md"), re.M)
    assert rows
    expect_none(f"{step}: {shown}, not {points.get(step)}" for step, shown in rows
                if int(shown) != points.get(step))


def test_the_picture_in_the_readme_has_the_points_of_a_step():
    picture = html.unescape(re.sub("<[^>]*>", " ", read("docs/site/figures/watch.svg")))
    shown = re.findall(r"\d+\.\d+ \S+ ok \d+/\d+", " ".join(picture.split()))
    first = labs()[0]
    right = set()
    for step in first.steps:
        for kind in ("core", "extra"):
            points = points_of(first, kind, step["step"], left_out="history")
            right.add(f"{step['step']} {step['name']} ok {points}/{points}")
    assert shown
    expect_none(row for row in shown if row not in right)


def test_the_readme_of_a_lab_links_every_contract(lab):
    readme = read(f"labs/{lab.folder}/README.md")
    expect_none(header for header in lab.spec["headers"] if f"]({header}" not in readme)


def test_the_folder_of_a_lab_has_few_entries(lab):
    entries = os.listdir(ROOT / "labs" / lab.folder)
    assert len(entries) <= MAX_ENTRIES
