"""the command line: ./lab diff takes what is handed in, in its usual forms"""

import shutil

import pytest

from kit import GRADED, ROOT, USAGE, copy_lab, lab_of, run

LAB = lab_of("01")
SAME, OTHER = "1.2 remove: the same", "+++ solution: 1.2 remove"


@pytest.fixture(scope="module")
def handed_in(kit):
    folder = kit.new_folder("handed in")
    shutil.make_archive(folder / "flat", "gztar", ROOT / "solution" / LAB.folder)
    clone = kit.new_folder("clone") / "pagedlab-main"
    for source in "starter", "solution":
        copy_lab(LAB, clone / source, source)
    shutil.make_archive(folder / "clone", "zip", clone.parent)
    copy_lab(LAB, folder / "around/me", "solution")
    make_repository(folder)
    (folder / "damaged.zip").write_text("this is no archive\n")
    (folder / "notes.txt").write_text("I was ill.\n")
    (folder / "empty").mkdir()
    (folder / "empty/notes.txt").write_text("I was ill.\n")
    return folder


def make_repository(folder):
    """Its files are in the commit alone."""
    copy_lab(LAB, folder / "repository", "solution")
    git = ["git", "-C", folder / "repository", "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in ["init", "--quiet"], ["add", "."], ["commit", "-qm", "lab 01"]:
        run([*git, *words]).expect(0)
    shutil.rmtree(folder / "repository" / LAB.folder)


@pytest.mark.parametrize("words, sentence", [
    (["flat.tar.gz", "01"], SAME),  # without the lab's folder
    (["clone.zip", "01"], OTHER),  # a whole clone: its starter/ is compared
    (["around"], SAME),  # one folder too many around it
    (["around"], "not submitted: lab 02"),
    (["repository", "01", "--commit", "HEAD"], SAME),
])
def test_diff_finds_the_files_of_the_lab(kit, handed_in, words, sentence):
    place, *more = words
    kit.lab("diff", handed_in / place, *more, "--yes").expect(GRADED, sentence)


@pytest.mark.parametrize("place, sentence", [
    ("damaged.zip", "cannot be compared: the archive cannot be read"),
    ("notes.txt", "is neither a folder, an archive nor a file"),
    ("empty", "holds no file of any lab"),
    ("nowhere", "is not there"),
])
def test_diff_refuses_in_one_sentence_about_the_argument(kit, handed_in, place, sentence):
    refusal = kit.lab("diff", handed_in / place, "01")
    refusal.expect(USAGE, f'"{handed_in / place}" {sentence}')
    refusal.expect_no("--tree")
    assert len(refusal.output.splitlines()) == 1


def test_a_password_in_a_url_is_not_shown(kit, handed_in):
    url = "https://me:secret@host/a.git"
    elsewhere = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_VALUE_0": url,
                 "GIT_CONFIG_KEY_0": f"url.{handed_in / 'repository'}.insteadOf"}
    shown = kit.lab("diff", url, "01", "--commit", "HEAD", "--yes", env=elsewhere)
    shown.expect(GRADED, "https://host/a.git", SAME)
    shown.expect_no("secret")


def test_nor_is_it_where_git_cannot_fetch(kit):
    refusal = kit.lab("diff", "https://me:secret@localhost:1/a.git", "01", "--commit", "HEAD")
    refusal.expect(USAGE, "git cannot fetch https://localhost:1/a.git at HEAD")
