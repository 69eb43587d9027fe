"""./lab class: the forms in which students and platforms really hand in"""

import io
import shutil
import zipfile

import pytest

from kit import ROOT, copy_lab, lab_of
from submissions import grade_class, pack, rows_of

LAB = lab_of("01")
QUEUE = LAB.files[0]
SOLUTION = ROOT / "solution" / LAB.folder
OWN_TEST = f"""#include "{LAB.folder}/free_kv_cache_block_queue.h"
int main() {{ kv::FreeKVCacheBlockQueue queue({{}}); }}
"""


def written():
    return (SOLUTION / QUEUE).read_text()


def write(folder, name, text=None, encoding="utf-8"):
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text or written(), encoding=encoding)


def add_zip(place, entries):
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in entries.items():
            archive.writestr(name, text)


def zip_bytes(entries):
    content = io.BytesIO()
    add_zip(content, entries)
    return content.getvalue()


def add_with_password(place):
    """The flag of a password and 12 bytes before the content, in both heads of the one entry."""
    content = bytearray(zip_bytes({QUEUE: written()}))
    content[6] |= 1
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    place.write_bytes(content)


def add_beside_untouched_starter(folder):
    copy_lab(LAB, folder / "starter", "starter")
    copy_lab(LAB, folder / "mywork", "solution")


def add_to_the_contracts(folder):
    """The work beside the contracts, and the stubs where they were."""
    copy_lab(LAB, folder / "starter", "starter")
    write(folder, f"labs/{LAB.folder}/{QUEUE}")


def add_with_link(folder):
    """In an archive a link may lead anywhere: nothing follows it."""
    write(folder, QUEUE)
    (folder / "compile_commands.json").symlink_to("../build/compile_commands.json")
    pack(folder, "tar")


def add_two_that_differ(folder):
    write(folder, "free_kv_cache_block_queue_final.cpp")
    write(folder, "free_kv_cache_block_queue (1).cpp", written() + "// later\n")


def add_from_a_mac(folder):
    write(folder, QUEUE)
    write(folder, f"__MACOSX/._{QUEUE}", "\0")
    write(folder, "._main.cpp", "\0")


# What is made in the class's folder, by the name of the submission; its score, and what its row
# says.
FORMS = {
    "stubs-beside_11": (add_beside_untouched_starter, "100",
                        f"taken as {LAB.folder}/{QUEUE}: mywork/{LAB.folder}/{QUEUE}"),
    "txt_12": (lambda folder: write(folder, f"{QUEUE}.txt"), "100", f": {QUEUE}.txt"),
    "number_14": (lambda folder: write(folder, "free_kv_cache_block_queue (1).cpp"), "100", "(1)"),
    "final_15": (lambda folder: write(folder, "free_kv_cache_block_queue_final.cpp"), "100",
                 "_final.cpp"),
    "capitals_16": (lambda folder: write(folder, "Free_KV_Cache_Block_Queue.CPP"), "100", ".CPP"),
    "Ada Lovelace_17_assignsubmission_file": (
        lambda folder: (folder.mkdir(), add_zip(folder / "my lab.zip", {QUEUE: written()})),
        "100", ""),
    "utf16_19": (lambda folder: write(folder, QUEUE, encoding="utf-16"), "100",
                 f"is saved as UTF-16: {QUEUE}"),
    "two_20": (add_two_that_differ, "", "lab 01 is not clear: two files may be "),
    "other-name_21": (lambda folder: write(folder, "queue.cpp"), "",
                      f"queue.cpp has 1.1 get_all_free_blocks, and there is no {QUEUE}; if it is"),
    "mac_22": (add_from_a_mac, "100", ""),
    "copy-of_27": (lambda folder: write(folder, f"Copy of {QUEUE}"), "100", f": Copy of {QUEUE}"),
    "blanks_28": (lambda folder: write(folder, "free kv cache block queue.cpp"), "100",
                  ": free kv"),
    "own-name_29": (lambda folder: write(folder, f"ada_l_{QUEUE}"), "100", f": ada_l_{QUEUE}"),
    "with-link_30": (add_with_link, "100", "not followed: compile_commands.json"),
    "empty_31": (lambda folder: write(folder, QUEUE, "\n"), "", f"{QUEUE} is empty; ask for it"),
    "utf32_32": (lambda folder: write(folder, QUEUE, encoding="utf-32"), "",
                 f"{QUEUE} is no text in UTF-8"),
    "in-solution_33": (lambda folder: write(folder, f"solution/{QUEUE}"), "",
                       f"solution/{QUEUE} is in a folder that has the name of one of the kit's"),
    "inner-password_34": (
        lambda folder: (folder.mkdir(), add_with_password(folder / "lab 1.zip")), "",
        "its files may be in lab 1.zip, which cannot be unpacked"),
    "own-test_35": (lambda folder: write(folder, f"test_{QUEUE}", OWN_TEST), "",
                    "holds no file of any lab"),
    "notes_36": (lambda folder: write(folder, f"notes on {QUEUE}.txt", "ask in the lecture"), "",
                 "holds no file of any lab"),
    "in-labs_37": (add_to_the_contracts, "", f"labs/{LAB.folder}/{QUEUE} is in a folder that has"),
    "damaged_23": (lambda folder: write(folder, "lab.zip", "no archive"), "",
                   "an archive inside, which cannot be unpacked: lab.zip"),
}


@pytest.fixture(scope="module")
def rows(kit):
    folder = kit.new_folder("class-forms")
    for name, (make, _, _) in FORMS.items():
        make(folder / name)
    add_with_password(folder / "password_13.zip")
    inner = zip_bytes({f"work/{QUEUE}": written()})
    (folder / "inner_18.zip").write_bytes(zip_bytes({"hand in/lab 1.zip": inner}))
    shutil.copy(SOLUTION / QUEUE, folder / f"24-68 - Alan Turing - Oct 9, 2026 - {QUEUE}")
    shutil.copy(SOLUTION / QUEUE, folder / f"Lab 1_25_attempt_2026-10-09-12-00-00_{QUEUE}")
    shutil.copy(SOLUTION / QUEUE, folder / f"lovelaceada_26_208490284_{QUEUE}.txt")
    out = kit.new_folder("class-forms-results")
    grade_class(kit, folder, out, "--labs", "01")
    return rows_of(out / "scores.csv")


@pytest.mark.parametrize("name", FORMS)
def test_what_is_clear_is_graded_and_nothing_else_has_a_score(rows, name):
    _, score, said = FORMS[name]
    assert (rows[name]["score"], said in rows[name]["note"]) == (score, True), rows[name]["note"]


def test_an_archive_with_a_password_has_no_score(rows):
    assert rows["password_13"]["score"] == ""
    assert "it has a password; ask for" in rows["password_13"]["note"]


def test_an_archive_in_an_archive_is_graded(rows):
    assert rows["inner_18"]["score"] == "100"


def test_files_of_a_mac_need_no_word(rows):
    assert "._" not in rows["mac_22"]["note"]


@pytest.mark.parametrize("name", [
    "24-68 - Alan Turing - Oct 9, 2026", "Lab 1_25_attempt_2026-10-09-12-00-00",
    "lovelaceada_26"])
def test_single_files_are_found_as_other_platforms_name_them(rows, name):
    assert rows[name]["score"] == "100"
