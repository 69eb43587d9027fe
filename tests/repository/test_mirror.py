"""starter mirrors solution: each step is one stub in the place of one body"""

import re

import pytest

from kit import ROOT, labs, run, step_key
from texts import expect_none, read


def steps_with_stub(lab):
    return [step for step in lab.steps if not first_forms(step)]


def first_forms(step):
    """From a step that this one rewrites to the line that it has until then."""
    return step.get("rewrites", {})


@pytest.fixture(scope="module")
def hunks(lab):
    """For each hunk of diff the lines of the starter that it replaces."""
    found = []
    for file in lab.files:
        trees = [ROOT / tree / lab.folder / file for tree in ("starter", "solution")]
        hunks = re.split(r"^\d[\d,]*[acd][\d,]+\n", run(["diff", *trees]).output, flags=re.M)[1:]
        found += [re.findall("^< (.*)", hunk, re.M) for hunk in hunks]
    return found


def test_each_hunk_replaces_one_stub(hunks):
    expect_none("\n".join(lines) or "a hunk that only adds lines" for lines in hunks
                if not re.fullmatch(r' +KV_TODO\("[\d.]+ [^"]+"\);', "\n".join(lines)))


def test_the_hunks_are_the_steps_of_the_score_sheet(lab, hunks):
    steps = re.findall(r'KV_TODO\("(.*?)"', "\n".join(sum(hunks, [])))
    expected = [lab.heading(step["step"]) for step in steps_with_stub(lab)]
    assert sorted(steps, key=order_of) == expected


def order_of(heading):
    return step_key(heading.split()[0])


def stub_of(lab, step):
    """A pattern: the function of the step, its given lines, and the name of the step."""
    given = rf"(?:.*\n){{{step.get('given_lines', 0)}}}"
    heading = re.escape(lab.heading(step["step"]))
    return rf'{step["name"]}\([^{{;]*{{\n{given}  KV_TODO\("{heading}"\);\n}}\n'


def test_a_stub_is_a_function_with_its_given_lines_and_the_name_of_its_step(lab):
    """So ./lab reset can make it of the solution."""
    expect_none(lab.heading(step["step"]) for step in steps_with_stub(lab)
                if not re.search(stub_of(lab, step), read(f"starter/{lab.folder}/{step['file']}")))


def test_a_step_without_a_stub_rewrites_earlier_ones():
    for lab in labs():
        stubs = [step["step"] for step in steps_with_stub(lab)]
        for step in lab.steps:
            expect_none(f"{step['step']} cannot rewrite {number}" for number in first_forms(step)
                        if number not in stubs or step_key(number) >= step_key(step["step"]))


def test_a_readme_has_the_first_forms_of_what_a_later_step_rewrites():
    for lab in labs():
        readme = read(f"labs/{lab.folder}/README.md")
        expect_none(f"{lab.folder}: `{line}`, the first form of {number}" for step in lab.steps
                    for number, line in first_forms(step).items() if f"`{line}`" not in readme)
