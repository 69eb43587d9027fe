"""./lab similar: copies are listed, and no other pair"""

import re

import pytest

from disguises import commented, disguised, reformatted, renamed, reordered
from kit import ROOT, copy_labs, lab_of, labs
from submissions import (alternatives, compare, files_of_alternative, variations,
                         write_alternative, write_variation)

QUEUE = "01-free-queue/free_kv_cache_block_queue.cpp"

# submission: the alternative that it copies, and how
COPIES = {
    "renamed": ("01", "whole-runs", renamed),
    "reordered": ("02", "counted-pool", reordered),
    "reformatted": ("03", "ordered-prefixes", reformatted),
    "commented": ("04", "rebuilt-tables", commented),
    "disguised": ("05", "tokens-outside", disguised),
    "disguised-kernel": ("06", "last-block-merges", disguised),
}
PLANTED = {f"{lab}: {lab}-{alternative}, {name}" for name, (lab, alternative, _) in COPIES.items()}
PLANTED |= {"04: 04-looking-ahead, partly", "04: 04-two-maps, partly"}


@pytest.fixture(scope="module")
def class_of_alternatives(kit):
    """Every alternative of each lab."""
    folder = kit.new_folder("class-of-alternatives")
    for lab in labs():
        for alternative in alternatives(lab):
            write_alternative(lab, alternative, folder / f"{lab.id}-{alternative}")
    return folder


@pytest.fixture(scope="module")
def class_with_bugs(class_of_alternatives):
    """The alternatives, and every known bug."""
    for lab in labs():
        for bug in variations(lab):
            write_variation(lab, bug, class_of_alternatives / f"{lab.id}-bug-{bug.name}")
    return class_of_alternatives


def add_copies(folder):
    for name, (number, alternative, disguise) in COPIES.items():
        lab = lab_of(number)
        write_alternative(lab, alternative, folder / name)
        for file in files_of_alternative(lab, alternative):
            path = folder / name / lab.folder / file
            path.write_text(disguise(path.read_text()))


def add_partial_copy(folder):
    """An alternative with one function of another one."""
    lab = lab_of("04")
    write_alternative(lab, "two-maps", folder / "partly")
    file = f"{lab.folder}/kv_cache_manager.cpp"
    function = r"^[\w:]+[^\n]* KVCacheManager::allocate_slots\(.*?\n\}$"
    copied = re.search(function, (folder / "04-looking-ahead" / file).read_text(), re.M | re.S)[0]
    text = (folder / "partly" / file).read_text()
    text, num_replaced = re.subn(function, lambda _: renamed(copied), text, 0, re.M | re.S)
    assert num_replaced == 1
    (folder / "partly" / file).write_text(text)


def test_alternatives_are_no_copies_of_each_other(kit, class_of_alternatives):
    assert compare(kit, class_of_alternatives).pairs == set()


def test_every_copy_is_listed_and_no_other_pair(kit, class_with_bugs):
    add_copies(class_with_bugs)
    add_partial_copy(class_with_bugs)
    assert compare(kit, class_with_bugs).pairs == PLANTED


def test_starter_solution_and_contracts_do_not_count(kit):
    folder = kit.new_folder("class-of-base")
    copy_labs(folder / "starter", "starter")
    copy_labs(folder / "solution", "solution")
    copy_labs(folder / "solution-too", "solution")
    for lab in labs():
        for header in lab.spec["headers"]:
            text = (ROOT / "labs" / lab.folder / header).read_text()
            (folder / "solution" / lab.folder / header).write_text(text)
        for file in lab.files:
            path = folder / "solution-too" / lab.folder / file
            path.write_text(disguised(path.read_text()))
    assert compare(kit, folder, "--share", "0").pairs == set()


def class_of_equals(kit, num_texts):
    folder = kit.new_folder("class-of-equals")
    for i in range(num_texts):
        write_alternative(lab_of("01"), "whole-runs", folder / f"s{i}")
    return folder


# What more than 5 of a small class have does not count, unless the texts are the same.
@pytest.mark.parametrize("num_texts, num_pairs", [(5, 10), (6, 0)])
def test_what_many_have_does_not_count(kit, num_texts, num_pairs):
    folder = class_of_equals(kit, num_texts)
    for i in range(num_texts):
        with open(folder / f"s{i}" / QUEUE, "a") as file:
            file.write("int own = 1;\n" * (i + 1))
    assert len(compare(kit, folder).pairs) == num_pairs


@pytest.mark.parametrize("num_texts, num_pairs", [(5, 10), (6, 15)])
def test_equal_answers_are_always_listed(kit, num_texts, num_pairs):
    assert len(compare(kit, class_of_equals(kit, num_texts)).pairs) == num_pairs


def test_200_pairs_have_a_page_and_all_are_in_the_table(kit):
    run = compare(kit, class_of_equals(kit, 47))
    assert len(run.pairs) == 47 * 46 / 2
    assert len(list((run.out / "pairs").iterdir())) == 200
    index = (run.out / "index.html").read_text()
    assert '"num_pairs":1081' in index
    assert "pairs/lab01-0200.html" in index and "pairs/lab01-0201.html" not in index
