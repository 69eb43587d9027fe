"""Runs ./lab as a user does, and makes the trees that it is run on."""

import difflib
import fcntl
import json
import os
import re
import resource
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# The exit codes of ./lab: base/text/errors.h has their names.
GRADED, NOT_FULL, USAGE, BROKEN = 0, 1, 2, 3


@dataclass
class Outcome:
    exit_code: int  # below 0: ended by this signal
    output: str  # standard output and error; a byte that is no UTF-8 is "\xe9"
    seconds: float  # processor time

    def expect(self, exit_code, *sentences):
        """Fails with the whole output unless the program ended so and said all of this."""
        __tracebackhide__ = True
        if self.exit_code != exit_code:
            pytest.fail(f"exit {self.exit_code} in place of {exit_code}:\n{self.output}")
        for sentence in sentences:
            if sentence not in self.output:
                pytest.fail(f'does not say "{sentence}":\n{self.output}')

    def expect_no(self, *sentences):
        __tracebackhide__ = True
        for sentence in sentences:
            if sentence in self.output:
                pytest.fail(f'says "{sentence}":\n{self.output}')


def run(argv, env=None, cwd=ROOT, stdin="", timeout=600):
    """The program has no terminal, and what it leaves running is ended with it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        [str(word) for word in argv], cwd=cwd, env={**os.environ, **(env or {})},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True)
    try:
        output, _ = process.communicate(stdin.encode(), timeout)
    finally:
        try:
            os.killpg(process.pid, 9)
        except ProcessLookupError:
            pass
        process.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Outcome(process.returncode, output.decode(errors="backslashreplace"), seconds)


def need(program):
    """A test whose tool is missing is skipped; ./lab test --strict counts it as failed."""
    if shutil.which(program) is None:
        pytest.skip(f"needs {program}")


def from_pypi(build, name, version):
    """The program `name` of exactly this version, for tests in which another one would not do: the
    installed one, or one of PyPI."""
    program = shutil.which(name)
    if program and version in run([program, "--version"]).output.split():
        return Path(program)
    return python_with(build, name, version).parent / name


def python_with(build, package, version):
    """A Python that has exactly this version of a package. Where PyPI is out of reach, the test is
    skipped as if a program were missing."""
    folder = build / "pypi" / f"{package}-{version}"
    is_complete = folder / "complete"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_complete.exists():
            run(["python3", "-m", "venv", folder])
            installed = run([folder / "bin/pip", "install", "-q", f"{package}=={version}"])
            if installed.exit_code != 0:
                pytest.skip(f"needs {package} {version} of PyPI: {installed.output[-200:]}")
            is_complete.touch()
    return folder / "bin/python"


def write_program(path, text):
    path.write_text(text)
    path.chmod(0o755)


def step_key(step):
    return [int(part) for part in step.split(".")]


class Lab:
    """A lab as its lab.json describes it."""

    def __init__(self, folder):
        self.folder = folder
        self.id = folder[:2]
        self.spec = json.loads((ROOT / "labs" / folder / "lab.json").read_text())
        self.files = self.spec["files"]
        self.steps = self.spec["steps"]
        self.tests = self.spec["tests"]

    def heading(self, number):
        return next(f"{number} {step['name']}" for step in self.steps if step["step"] == number)


def labs():
    manifest = json.loads((ROOT / "labs/manifest.json").read_text())
    return [Lab(folder) for folder in manifest["labs"]]


def lab_of(number):
    return next(lab for lab in labs() if lab.id == number)


class Kit:
    """./lab with a build folder of its own. Tests that run at the same time need different ones,
    or the output says that one waits for the other."""

    def __init__(self, program, build, root=ROOT):
        self.program = program
        self.build = build
        self.root = root

    def lab(self, *arguments, env=None, cwd=ROOT, stdin="", timeout=600):
        folders = {"LAB_ROOT": str(self.root), "LAB_BUILD_DIR": str(self.build)}
        return run([self.program, *arguments], {**folders, **(env or {})}, cwd, stdin, timeout)

    def new_folder(self, name):
        folder = self.build / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder


def copy_lab(lab, tree, source="starter"):
    shutil.copytree(ROOT / source / lab.folder, tree / lab.folder, dirs_exist_ok=True)


def copy_labs(tree, source="starter"):
    for lab in labs():
        copy_lab(lab, tree, source)


def replace_in(file, old, new):
    """An edit that finds nothing would make a test of something else."""
    text = file.read_text()
    assert old in text, f"{file} does not contain {old!r}"
    file.write_text(text.replace(old, new))


def write_step(lab, tree, number, code):
    """Puts this code in place of the stub of a step."""
    heading = lab.heading(number)
    stub = f'KV_TODO("{heading}");'
    step = next(step for step in lab.steps if step["step"] == number)
    replace_in(tree / lab.folder / step["file"], stub, code)


def solve_up_to(lab, last_step, tree):
    """The starter's files with the solution of every step up to this one."""
    for file in lab.files:
        starter = (ROOT / "starter" / lab.folder / file).read_text().splitlines(keepends=True)
        solution = (ROOT / "solution" / lab.folder / file).read_text().splitlines(keepends=True)
        text = []
        for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, starter, solution,
                                                           False).get_opcodes():
            step = re.search(r'KV_TODO\("([\d.]+) ', "".join(starter[i1:i2]))
            is_solved = step and step_key(step[1]) <= step_key(last_step)
            text += solution[j1:j2] if is_solved else starter[i1:i2]
        target = tree / lab.folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("".join(text))
