"""Releases of vLLM, as PyPI has them, and what is in their files."""

import re
import sys
import tarfile
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kit import ROOT

sys.path.insert(0, str(ROOT / "apps/vllm"))
from runner import package_index  # noqa: E402

JUNE, TODAY = "0.22.1", "0.33.0"

SUFFIXES = (".py", ".cu", ".cuh", ".h", ".cpp")
TOP_FOLDERS = ("vllm/", "csrc/", "tests/v1/core/")

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
        if path.startswith(TOP_FOLDERS):
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
    folder = build / "pypi" / f"vllm-{version}-sources"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder.parent) as place:
            try:
                archive = package_index.fetch(package_index.RELEASES[version], place)
            except package_index.Unavailable as problem:
                pytest.skip(f"needs vllm {version} of PyPI: {problem}")
            unpack(archive, Path(place)).rename(folder)
    return Tree(folder)


def unpack(archive, place):
    with tarfile.open(archive) as tar:
        for member in tar:
            top, _, path = member.name.partition("/")
            if path.startswith(TOP_FOLDERS) and path.endswith(SUFFIXES):
                file = place / member.name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(tar.extractfile(member).read())
    return place / top
