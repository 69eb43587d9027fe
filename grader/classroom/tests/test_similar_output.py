"""./lab similar: pages in which text stays text, and folders for other programs"""

import csv
import os
import re

import pytest

from disguises import renamed
from kit import copy_lab, lab_of, run
from submissions import compare, write_alternative

LAB = lab_of("01")
QUEUE = "free_kv_cache_block_queue.cpp"
END_OF_SCRIPT = "</script><script>document.title = 'owned'</script>"
ODD_NAME = "b <b>& 'c d'"  # a submission has this name
PAGES = ["index.html", "pairs/lab01-0001.html"]


@pytest.fixture(scope="module")
def folder(kit):
    return kit.new_folder("class-with-markup")


@pytest.fixture(scope="module")
def report(kit, folder):
    """A copy full of markup, beside its original."""
    for name in ["ada", ODD_NAME]:
        write_alternative(LAB, "whole-runs", folder / name)
    copy = folder / ODD_NAME / LAB.folder / QUEUE
    first_line = f"// {END_OF_SCRIPT} caf\u00e9 ".encode() + b"\xff\n"
    copy.write_bytes(first_line + renamed(copy.read_text()).encode())
    compared = compare(kit, folder)
    assert compared.pairs == {f"01: ada, {ODD_NAME}"}
    return compared.out


@pytest.mark.parametrize("page", PAGES)
def test_what_students_have_written_stays_text(report, page):
    content = (report / page).read_bytes()
    assert content.count(b"</script>") == 3
    assert b"<b>&" not in content and b"\xff" not in content


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_what_similarity_does_not_prove(report, page):
    content = (report / page).read_text()
    assert "does not prove" in content and "ask both" in content


def test_the_page_of_a_pair_has_both_texts_and_marks_the_common_places(report):
    page = (report / PAGES[1]).read_text()
    assert "caf\u00e9" in page and page.count('"place":1}') > 20


def words_of_command(export, kit):
    """The command in a README, run in its folder with stubs that print the words they get."""
    stubs = kit.new_folder("stubs")
    for program in ["java", "moss"]:
        (stubs / program).write_text('#!/bin/sh\nfor word; do echo "$word"; done\n')
        (stubs / program).chmod(0o755)
    command = "\n".join(re.findall(r"^  (.*)", (export / "README.txt").read_text(), re.M))
    path = f"{stubs}:{os.environ['PATH']}"
    return run(["sh", "-ec", command], {"PATH": path}, export).output.splitlines()


def test_jplag_gets_a_folder_for_each_submission_and_the_base_code(report, kit):
    for folder in ["submissions/ada", f"submissions/{ODD_NAME}", "base/solution", "base/starter"]:
        assert (report / "jplag" / folder / LAB.folder / QUEUE).exists()
    assert {"-bc", "base", "submissions", "cpp"} <= set(words_of_command(report / "jplag", kit))


def test_moss_gets_base_code_and_submissions_and_no_names(report, kit):
    file = f"{LAB.folder}.{QUEUE}"
    sent = words_of_command(report / "moss", kit)
    assert {"-d", "-b", f"base/solution.{file}", f"base/starter.{file}",
            f"0001/{file}", f"0002/{file}"} <= set(sent)
    assert "names.csv" not in " ".join(sent)
    with open(report / "moss/names.csv", newline="") as names:
        assert list(csv.reader(names))[1:] == [["0001", "ada"], ["0002", ODD_NAME]]


def test_a_second_run_leaves_nothing_of_the_first(report, kit, folder):
    (folder / "ada").rename(kit.new_folder("elsewhere") / "ada")
    copy_lab(LAB, folder / "cy")
    compared = compare(kit, folder)
    assert compared.pairs == set()
    assert not (compared.out / "pairs").exists()
    assert not (compared.out / "jplag/submissions/ada").exists()
