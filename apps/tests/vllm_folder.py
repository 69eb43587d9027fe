"""The folder of `./lab vllm`: its modules can be imported after this one."""

import sys

import pytest

from kit import ROOT
from kit_fixtures import build_folder

FOLDER = ROOT / "apps/vllm"
sys.path.append(str(FOLDER))

from runner import release_files  # noqa: E402
from runner.package_index import Unavailable  # noqa: E402


def provide(kit, version):
    """A release, for this kit, too. Where PyPI is out of reach, the test is skipped."""
    try:
        files = release_files.provide(version, build_folder() / "vllm", lambda line: None)
    except Unavailable as problem:
        pytest.skip(f"needs vllm {version} of PyPI: {problem}")
    folder = kit.build / "vllm"
    if not folder.exists():
        folder.symlink_to(build_folder() / "vllm")
    return files
