"""./lab similar, used with input that is wrong, damaged or extreme"""

import pytest

from kit import GRADED, USAGE, copy_lab, lab_of
from submissions import compare, pack, write_alternative

LAB = lab_of("01")
QUEUE = f"{LAB.folder}/free_kv_cache_block_queue.cpp"


@pytest.fixture(scope="module")
def folder(kit):
    folder = kit.new_folder("class-of-few")
    write_alternative(LAB, "whole-runs", folder / "ada")
    copy_lab(LAB, folder / "ben", "solution")
    (folder / "eve.zip").write_text("this is no archive\n")
    return folder


def refuse(kit, folder, sentence, *options, out="report"):
    kit.lab("similar", folder, "--out", kit.build / out, *options).expect(USAGE, sentence)


def test_fewer_than_two_submissions_are_refused(kit):
    few = kit.new_folder("fewer-than-two")
    refuse(kit, few, "holds no submission")
    (few / "eve.zip").write_text("this is no archive\n")
    refuse(kit, few, "eve: the archive cannot be read: Unrecognized archive")
    write_alternative(LAB, "whole-runs", few / "ada")
    refuse(kit, few, "has one submission only with files of the labs")


@pytest.mark.parametrize("sentence, options", [
    ('there is no lab "99"', ["--labs", "99"]),
    ("has no submission with files", ["--labs", "02"]),
    ("--share", ["--share", "101"])])
def test_wrong_options_are_refused(kit, folder, sentence, options):
    refuse(kit, folder, sentence, *options)


def test_no_file_of_others_is_overwritten(kit, folder):
    refuse(kit, folder, "in the folder of the submissions", out=folder / "report")
    thesis = kit.new_folder("folder-of-others") / "thesis.txt"
    thesis.write_text("not ours\n")
    refuse(kit, folder, "name a new folder", out=thesis.parent)
    assert thesis.read_text() == "not ours\n"


def test_what_cannot_be_compared_is_named_and_the_others_are_compared(kit, folder):
    write_alternative(LAB, "whole-runs", folder / "zoe")
    pack(folder / "zoe", "gztar")
    large = folder / "large" / QUEUE
    large.parent.mkdir(parents=True)
    large.write_text("// " + "x" * 300 * 1024)
    compared = compare(kit, folder)
    compared.outcome.expect(GRADED, "not compared: eve: the archive cannot be read: ",
                            "is larger than 256 KiB and is not compared",
                            "does not prove that one was copied")
    assert compared.pairs == {"01: ada, zoe"}


def test_repetition_takes_no_longer_than_other_text(kit):
    folder = kit.new_folder("class-of-repetition")
    repeated = "a = b + 1;\n" * 16_000
    for name in ["ada", "ben"]:
        write_alternative(LAB, "whole-runs", folder / name)
        text = (folder / name / QUEUE).read_text()
        (folder / name / QUEUE).write_text(text + repeated if name == "ada" else repeated + text)
    compared = compare(kit, folder)
    assert len(compared.pairs) == 1
    assert compared.outcome.seconds < 10  # about 1; quadratic, it would be minutes
