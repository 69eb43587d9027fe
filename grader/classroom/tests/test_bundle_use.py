"""./lab bundle and ./lab results, used in wrong ways: one sentence, and nothing is written"""

import json
import shutil

import pytest

import service_rules
from kit import BROKEN, ROOT, USAGE, lab_of
from services import CLASSROOM50_VARIABLES

QUEUE = f"starter/{lab_of('01').folder}/free_kv_cache_block_queue.cpp"
NO_SCORE = "No score, and this is not your fault: "


@pytest.mark.parametrize("says, options", [
    ("canvas", ["canvas", "OUT"]),
    ("--extra is for gradescope", ["classroom50", "OUT", "--extra", "hidden"]),
    ("--extra", ["gradescope", "OUT", "--extra", "never"]),
    ('there is no lab "99"', ["classroom50", "OUT", "--labs", "99"]),
    ("--wall", ["classroom50", "OUT", "--wall", "1"])])
def test_a_bundle_is_refused(kit, says, options):
    out = kit.build / "bundle"
    words = [out if word == "OUT" else word for word in options]
    kit.lab("bundle", *words).expect(USAGE, says)
    assert not out.exists()


def test_a_folder_that_is_not_empty_is_refused(kit):
    folder = kit.new_folder("not empty")
    (folder / "notes.txt").write_text("mine\n")
    kit.lab("bundle", "classroom50", folder).expect(USAGE, "is not an empty folder; name a new one")
    assert [file.name for file in folder.iterdir()] == ["notes.txt"]


def test_a_starter_that_is_written_is_refused(kit):
    root = kit.new_folder("a kit with spaces")
    for part in ROOT.iterdir():
        (root / part.name).symlink_to(part)
    (root / "starter").unlink()
    shutil.copytree(ROOT / "starter", root / "starter")
    shutil.copy(ROOT / QUEUE.replace("starter", "solution"), root / QUEUE)
    refused = kit.lab("bundle", "classroom50", root / "bundle", env={"LAB_ROOT": str(root)})
    refused.expect(USAGE, f"{QUEUE} holds a written 1.1 get_all_free_blocks")
    assert not (root / "bundle").exists()


@pytest.mark.parametrize("service, submission, out, says", [
    ("gradescope", "/nowhere", "out.json", 'no folder "/nowhere"'),
    ("gradescope", ROOT, ".", "is a folder; name the file"),
    ("classroom50", ROOT, "out.json", "is not set")])
def test_results_are_refused(kit, service, submission, out, says):
    kit.lab("results", service, submission, kit.build / out).expect(USAGE, says)
    assert not (kit.build / "out.json").exists()


@pytest.fixture
def broken_machine(kit):
    """The folder of the worker cannot be made: nobody can be graded."""
    shutil.rmtree(kit.build / "service", ignore_errors=True)
    (kit.build / "service").write_text("no folder\n")
    yield kit
    (kit.build / "service").unlink()


def test_classroom50_gets_nothing_when_the_machine_fails(broken_machine):
    folder = broken_machine.new_folder("classroom50")
    out, output = folder / "result.json", folder / "output"
    refused = broken_machine.lab("results", "classroom50", ROOT / "starter", out, env={
        **CLASSROOM50_VARIABLES, "GITHUB_OUTPUT": str(output)})
    refused.expect(BROKEN, NO_SCORE)
    assert list(folder.iterdir()) == []


def test_gradescope_gets_a_result_when_the_machine_fails(broken_machine):
    out = broken_machine.build / "failed.json"
    broken_machine.lab("results", "gradescope", ROOT / "starter", out).expect(BROKEN)
    results = json.loads(out.read_text())
    service_rules.check(results, service_rules.GRADESCOPE)
    assert results["score"] == 0 and results["output"].startswith(NO_SCORE)
