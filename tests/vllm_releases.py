"""Releases of vLLM, as PyPI has them, and what is in their files."""

import hashlib
import re
import tarfile
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kit import python_with, run

JUNE, TODAY = "0.22.1", "0.33.0"
SHA256 = {JUNE: "cd34902729f3767e3dfbb391956b2986bc638a54be9893e78bda9cc55669f15c",
          TODAY: "f4c33c2503d52bb411146afa9618a4f48bed68912f617e6803ac8d76e4c74112"}

SUFFIXES = (".py", ".cu", ".cuh", ".h", ".cpp")

# Why not `pip download`: it also runs the setup.py of what it has, and vLLM's asks for PyTorch.
PIP = "25.3"
DOWNLOAD = """
import sys
from pip._internal.commands import create_command
from pip._internal.network.utils import HEADERS
from pip._vendor.packaging.specifiers import SpecifierSet
version, archive = sys.argv[1:]
command = create_command("download")
with command.main_context():
    options, _ = command.parse_args(["--no-binary", "vllm"])
    session = command.get_default_session(options)
    finder = command._build_package_finder(options, session, ignore_requires_python=True)
    found = finder.find_best_candidate("vllm", SpecifierSet("==" + version)).best_candidate
    if found is None:
        sys.exit("no such release is within reach")
    response = session.get(found.link.url_without_fragment, headers=HEADERS)
    response.raise_for_status()
    open(archive, "wb").write(response.content)
"""


class Tree:
    """The files of a release below `root`."""

    def __init__(self, root):
        self.root = root
        self.words = {}  # from a file, as its path in the tree, to those in it

    @cached_property
    def files(self):
        return {str(file.relative_to(self.root)) for file in self.root.rglob("*")
                if file.suffix in SUFFIXES}

    def files_at(self, path):
        """The file, those of a folder, and those whose path ends so, as sched/utils.py does. What
        begins with a folder of the top is there only. All files for ""."""
        path = path.rstrip("/")
        if path.startswith(("vllm/", "csrc/")):
            return [file for file in self.files if f"{file}/".startswith(f"{path}/")]
        return [file for file in self.files if f"/{file}".endswith(f"/{path}") or not path]

    def has(self, name, path):
        """Whether one of the files at `path` has all parts of a dotted name."""
        return any(self.words_of(file).issuperset(name.split(".")) for file in self.files_at(path))

    def words_of(self, file):
        if file not in self.words:
            text = (self.root / file).read_text(errors="replace")
            self.words[file] = set(re.findall(r"\w+", text))
        return self.words[file]


def tree_of(build, version):
    """Where PyPI is out of reach, the test is skipped as if a program were missing."""
    folder = build / "pypi" / f"vllm-{version}"
    if not folder.exists():
        python = python_with(build, "pip", PIP)
        with TemporaryDirectory(dir=folder.parent) as place:
            archive = Path(place, "archive")
            downloaded = run([python, "-c", DOWNLOAD, version, archive])
            if downloaded.exit_code != 0:
                pytest.skip(f"needs vllm {version} of PyPI: {downloaded.output[-200:]}")
            assert hashlib.sha256(archive.read_bytes()).hexdigest() == SHA256[version]
            unpack(archive, Path(place)).rename(folder)
    return Tree(folder)


def unpack(archive, place):
    with tarfile.open(archive) as tar:
        for member in tar:
            top, *path = Path(member.name).parts
            if path[:1] in (["vllm"], ["csrc"]) and Path(member.name).suffix in SUFFIXES:
                file = place / member.name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(tar.extractfile(member).read())
    return place / top
