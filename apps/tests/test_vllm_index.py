"""./lab vllm: a release is fetched once and whole, and what is in the way is one clear sentence"""

import base64
import errno
import os
import signal
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

import vllm_folder
from package_index_server import HTML, JSON, Index, tar_of, zip_of
from runner import package_index, release_files
from runner.package_index import Unavailable

RELEASE = {"vllm/request.py": "a = 1\n", "vllm/v1/core/pool.py": "b = 2\n",
           "tests/v1/core/test_pool.py": "c = 3\n", "vllm/models/llama.py": "left out\n",
           "vllm/v1/core/pool.cu": "left out\n"}
WHEEL = {"pytest/__init__.py": "d = 4\n", "pytest-8.dist-info/METADATA": "e"}


@pytest.fixture
def index(monkeypatch):
    """One that has a small release and a small pytest, and that pip would ask."""
    index = Index()
    offer(index, monkeypatch, tar_of(RELEASE), zip_of(WHEEL))
    monkeypatch.setenv("PIP_INDEX_URL", index.address)
    monkeypatch.delenv("PIP_CERT", raising=False)
    yield index
    index.end()


def offer(index, monkeypatch, release, wheel):
    pinned = {"0.22.1": index.offer("vllm-0.22.1.tar.gz", release)}
    monkeypatch.setattr(release_files, "RELEASES", pinned)
    monkeypatch.setattr(release_files, "WHEELS", [index.offer("pytest-8-none-any.whl", wheel)])


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "build" / "vllm"


def files_below(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def refusal(folder):
    """What is said; nothing is left in the folder."""
    with pytest.raises(Unavailable) as refused:
        release_files.provide("0.22.1", folder, lambda line: None)
    told = str(refused.value)
    assert "\n" not in told and told.endswith(".")
    assert not folder.is_dir() or os.listdir(folder) == []
    return told


def test_what_the_tests_need_is_unpacked_and_the_archives_are_gone(index, folder):
    said = []
    files = release_files.provide("0.22.1", folder, said.append)
    assert files_below(files.tree) == [
        "tests/v1/core/test_pool.py", "vllm/request.py", "vllm/v1/core/pool.py"]
    assert files_below(files.wheels) == sorted(WHEEL)
    assert said == ["Fetching vllm-0.22.1, pytest-8 (0.0 MB) from 127.0.0.1."]
    assert sorted(os.listdir(folder)) == [package_index.PYTEST, "vllm-0.22.1"]


def test_a_second_call_fetches_nothing_and_says_nothing(index, folder):
    release_files.provide("0.22.1", folder, lambda line: None)
    index.asked.clear()
    said = []
    release_files.provide("0.22.1", folder, said.append)
    assert index.asked == said == []


def test_an_index_may_answer_with_html(index, folder):
    page = '<html><a href="../../files/vllm-0.22.1.tar.gz#sha256=0">a file</a></html>'
    index.pages["/simple/vllm/"] = 200, HTML, page.encode()
    release_files.provide("0.22.1", folder, lambda line: None)
    assert "/files/vllm-0.22.1.tar.gz" in index.asked


def test_an_index_without_the_file(index, folder):
    missing = "The index at 127.0.0.1 does not have vllm-0.22.1.tar.gz. Set PIP_INDEX_URL to one"
    index.pages["/simple/vllm/"] = 200, JSON, b'{"files": []}'
    assert missing in refusal(folder)
    del index.pages["/simple/vllm/"]
    assert missing in refusal(folder)


@pytest.mark.parametrize("text", [b"<html>welcome</html>", b"[]", b'{"files": [{}]}'])
def test_an_answer_of_something_else(index, folder, text):
    index.pages["/simple/vllm/"] = 200, JSON, text
    assert refusal(folder) == ("The answer of 127.0.0.1 is not that of a package index. Check "
                               "PIP_INDEX_URL.")


@pytest.mark.parametrize("path", ["/simple/vllm/", "/files/vllm-0.22.1.tar.gz"])
def test_an_index_that_fails(index, folder, path):
    index.pages[path] = 500, HTML, b"sorry"
    assert refusal(folder) == ("Cannot reach 127.0.0.1: HTTP 500 Internal Server Error. Check the "
                               "network and PIP_INDEX_URL, and try again.")


def test_a_file_with_another_hash_is_not_used(index, folder):
    index.pages["/files/vllm-0.22.1.tar.gz"] = 200, HTML, b"another"
    told = refusal(folder)
    assert "vllm-0.22.1.tar.gz of 127.0.0.1 has the SHA-256 " in told
    assert "so it is not used. Try again, or with another PIP_INDEX_URL." in told


def test_a_wheel_with_another_hash_is_not_used_and_the_release_stays(index, folder):
    index.pages["/files/pytest-8-none-any.whl"] = 200, HTML, b"another"
    with pytest.raises(Unavailable):
        release_files.provide("0.22.1", folder, lambda line: None)
    assert os.listdir(folder) == ["vllm-0.22.1"]


@pytest.mark.parametrize("path", ["/simple/vllm/", "/files/vllm-0.22.1.tar.gz"])
def test_an_answer_that_is_cut_short(index, folder, path):
    index.cut = path
    assert refusal(folder).startswith("Cannot reach 127.0.0.1: it ended after ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_stopped_during_a_download_leaves_nothing(index, folder, number):
    index.held = "/files/vllm-0.22.1.tar.gz"
    words = ["--version", "0.22.1", "--folder", folder]
    process = subprocess.Popen([sys.executable, "-B", vllm_folder.FOLDER / "run.py", *words])
    for _ in range(200):
        if folder.is_dir() and os.listdir(folder):
            break
        time.sleep(0.05)
    assert len(os.listdir(folder)) == 1
    process.send_signal(number)
    assert process.wait(20) == -number
    assert os.listdir(folder) == []


def test_nothing_listens(index, folder, monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{taken.getsockname()[1]}/simple")
        assert "Cannot reach 127.0.0.1: Connection refused. Check the network" in refusal(folder)


def test_a_name_and_a_password_are_sent_to_the_index_and_never_printed(index, folder,
                                                                       monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", f"http://bob:se%40cret@{index.host}/simple")
    said = []
    release_files.provide("0.22.1", folder, said.append)
    expected = "Basic " + base64.b64encode(b"bob:se@cret").decode()
    assert set(index.secrets) == {expected}
    assert "bob" not in said[0] and "cret" not in said[0]


@pytest.mark.parametrize("address", [
    "nonsense", "bob:secret@host/simple", "//bob:secret@host/simple", "http://[bob:secret@host",
    "http://bob:secret/1@host/simple", "http://host/a b"])
def test_what_is_no_address_is_refused_and_not_printed(folder, monkeypatch, address):
    monkeypatch.setenv("PIP_INDEX_URL", address)
    said = []
    with pytest.raises(Unavailable) as refused:
        release_files.provide("0.22.1", folder, said.append)
    told = str(refused.value)
    assert "PIP_INDEX_URL" in told and "secret" not in told + said[0]


def test_a_password_is_not_in_a_refusal(index, folder, monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", f"http://bob:secret@{index.host}/simple")
    index.pages["/simple/vllm/"] = 401, HTML, b""
    told = refusal(folder)
    assert "HTTP 401" in told and "bob" not in told and "secret" not in told


def test_certificates_that_are_not_there(index, folder, monkeypatch):
    monkeypatch.setenv("PIP_CERT", "/nowhere.pem")
    assert ("Cannot read the certificates of PIP_CERT, /nowhere.pem: No such file or directory. "
            "Set it to") in refusal(folder)


def test_a_tar_file_that_leaves_its_folder(index, folder, monkeypatch):
    evil = tar_of({**RELEASE, "vllm/v1/../../../../evil.py": "no"})
    offer(index, monkeypatch, evil, zip_of(WHEEL))
    assert "An archive has a file outside of its folder, vllm/v1/../../" in refusal(folder)


@pytest.mark.parametrize("name", ["../evil.py", "/evil.py", "pytest/../../evil.py"])
def test_a_zip_file_that_leaves_its_folder(index, folder, monkeypatch, name):
    offer(index, monkeypatch, tar_of(RELEASE), zip_of({**WHEEL, name: "no"}))
    with pytest.raises(Unavailable, match="outside of its folder"):
        release_files.provide("0.22.1", folder, lambda line: None)
    assert os.listdir(folder) == ["vllm-0.22.1"]


FULL = "is full, so what was begun there is removed. Free some space, and try again."


def no_space(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_is_full_before_a_download(index, folder, monkeypatch):
    monkeypatch.setattr(package_index.tempfile, "mkstemp", lambda **_: no_space())
    assert FULL in refusal(folder)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_disk_that_is_full_during_a_download(index, folder, monkeypatch):
    def new_file(target):
        target.parent.mkdir(parents=True)
        part = target.with_name("full.part")
        part.symlink_to("/dev/full")
        return part
    monkeypatch.setattr(package_index, "_new_file", new_file)
    assert FULL in refusal(folder)


def test_a_disk_that_is_full_while_a_release_is_unpacked(index, folder, monkeypatch):
    monkeypatch.setattr(release_files.shutil, "copyfileobj", no_space)
    assert FULL in refusal(folder)


def test_a_folder_that_cannot_be_made(index, tmp_path):
    (tmp_path / "build").write_text("a file")
    with pytest.raises(Unavailable, match="Cannot write in .*: Not a directory. Make it writable"):
        release_files.provide("0.22.1", tmp_path / "build" / "vllm", lambda line: None)


def test_a_release_that_another_run_has_unpacked_meanwhile(index, folder, monkeypatch):
    def faster(*_):
        (folder / "vllm-0.22.1" / "vllm").mkdir(parents=True)
        return {}.items()
    monkeypatch.setattr(release_files, "_tar_members", faster)
    files = release_files.provide("0.22.1", folder, lambda line: None)
    assert sorted(os.listdir(folder)) == [package_index.PYTEST, "vllm-0.22.1"]
    assert files.tree.is_dir()


@pytest.mark.parametrize("version, oldest", [("0.22.1", "3.10"), ("0.33.0", "3.11")])
def test_a_python_that_is_too_old(folder, monkeypatch, version, oldest):
    monkeypatch.setattr(package_index, "sys", SimpleNamespace(
        version_info=(3, 9, 2, "final", 0), executable="/usr/bin/python3"))
    with pytest.raises(Unavailable) as refused:
        release_files.provide(version, folder)
    assert str(refused.value) == (
        f"The tests of vLLM {version} need Python {oldest} or newer, and /usr/bin/python3 is "
        "Python 3.9. Install a newer one, and put it first on the PATH.")
