"""Runs functions of vLLM's test files under the stand-ins, and says what became of each.

Each case is in a process of its own, so that one that crashes or hangs costs no other.
"""

import os
import signal
import sys
from pathlib import Path
from typing import NamedTuple

from runner import package_index
from runner.child import read_lines, start

LIMIT = 60  # seconds for a case

# Nothing of the user's own settings, and nothing is written.
OPTIONS = ("-c", os.devnull, "--noconftest", "--capture=no", "--tb=native",
           "-p", "no:cacheprovider", "-p", "no:warnings")


class NotRun(Exception):
    """Why there are no results at all."""


class Record(NamedTuple):
    """What became of a case of a test function."""

    file: str
    function: str
    case: str  # its parameters, as pytest has them in brackets, or ""
    outcome: str = "crashed"  # or "passed", "failed", "skipped": how the case ended
    seconds: float = 0  # wall time
    error: str = ""  # the type of the exception, or the signal
    text: str = ""  # the exception's message, or why the case is skipped
    statement: str = ""  # the innermost of the test file that did not return, as vLLM wrote it
    line: int = 0  # where the test function was, in its file
    calls: tuple = ()  # what `calls_of` gave after the case


def run(tree, version, functions, replaced=None, calls_of=tuple):
    """The records of all cases of these functions; see `stand_ins.install` for `replaced`.

    A function is "tests/v1/core/test_scheduler.py::test_schedule"; a file alone is all of its
    functions.
    """
    return list(each(tree, version, functions, replaced, calls_of))


def each(tree, version, functions, replaced=None, calls_of=tuple):
    """The same records, each as soon as it is known."""
    package_index.check_python(version)
    tree = Path(tree).resolve()
    for file in files_of(functions):
        if not (tree / file).is_file():
            raise NotRun(f"vLLM {version} has no {file} in {tree}")
    session = start(lambda say: _session(tree, functions, replaced, calls_of, say), leads=True)
    complaint = "the run ended without a result"
    try:
        for message in read_lines(session):
            if "complaint" in message:
                complaint = message["complaint"]
            else:
                yield Record(**message)
    except BaseException:
        session.interrupt()
        raise
    finally:
        session.end()
    if complaint:
        raise NotRun(f"The tests of vLLM {version} do not run: {complaint}")


def files_of(functions):
    return sorted({function.partition("::")[0] for function in functions})


def _session(tree, functions, replaced, calls_of, say):
    """Is in a process of its own: what it imports and sets is for this run only."""
    sys.dont_write_bytecode = True
    signal.signal(signal.SIGINT, signal.default_int_handler)  # some shells ignore it
    for name in list(os.environ):
        if name.startswith(("PYTEST_", "VLLM_")) or name in ("CI", "BUILD_NUMBER"):
            del os.environ[name]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.chdir(tree)
    sys.path.insert(0, str(tree.parent / package_index.PYTEST))
    from runner import stand_ins
    stand_ins.install(tree, replaced)
    import pytest
    from runner.one_process_each import OneProcessEach
    plugin = OneProcessEach(functions, say, LIMIT, calls_of)
    code = pytest.main([*OPTIONS, "--rootdir", str(tree), *files_of(functions)], plugins=[plugin])
    say({"complaint": plugin.complaint or (f"pytest ended with {code!r}" if code else None)})
