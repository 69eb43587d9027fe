"""The part of pytest that gives each case a process of its own, and makes its record."""

import ast
import inspect
import re
import signal
import textwrap
import time

import pytest
from _pytest.runner import runtestprotocol

from runner.child import read_lines, start

# Where pytest begins to speak of itself, after what it says about an assertion.
ABOUT_PYTEST = re.compile(r"\.\.\.Full output truncated|\(pytest_assertion plugin:|Use -v+ to ")


class OneProcessEach:
    def __init__(self, functions, say, limit, calls_of):
        self.functions = set(functions)
        self.say = say
        self.limit = limit
        self.calls_of = calls_of  # in the case's process
        self.complaint = None
        self.error = None  # what ended the case that runs in this process

    def pytest_collectreport(self, report):
        if report.failed and not self.complaint:
            self.complaint = f"{report.nodeid}: {report.longreprtext.strip().splitlines()[-1]}"

    def pytest_collection_modifyitems(self, items):
        found = {name for item in items for name in (_file(item), _full_name(item))}
        missing = sorted(self.functions - found)
        if missing and not self.complaint:
            self.complaint = f"there is no {', '.join(missing)}"
        items[:] = [item for item in items
                    if not self.functions.isdisjoint((_file(item), _full_name(item)))]

    def pytest_runtest_protocol(self, item):
        started = time.monotonic()
        record = self._run_apart(item)
        record["seconds"] = round(time.monotonic() - started, 3)
        self.say(record)
        return True

    def pytest_internalerror(self, excrepr):
        self.complaint = str(excrepr).splitlines()[-1]

    def _run_apart(self, item):
        child = start(lambda say: say(self._run(item)), leads=True)
        record = {}
        try:
            for message in read_lines(child, self.limit):
                record = message
        except TimeoutError:
            record = {"error": "TimeoutError", "text": f"no end after {self.limit} s"}
        finally:
            child.kill()
            status = child.end()
        if not record:
            record = {"error": signal.Signals(-status).name if status < 0 else f"exit {status}"}
        return {**_name(item), "outcome": "crashed", **record}

    def _run(self, item):
        """The record of a case that runs here."""
        reports = runtestprotocol(item, log=False, nextitem=None)
        bad = next((report for report in reports if not report.passed), None)
        record = {**_name(item), "outcome": bad.outcome if bad else "passed"}
        record["calls"] = sorted(self.calls_of())
        if bad and self.error:
            record.update(_error(self.error, str(item.path)))
        return record

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, call):
        if call.excinfo and not self.error:
            self.error = call.excinfo
        yield


def _file(item):
    return item.nodeid.partition("::")[0]


def _full_name(item):
    return item.nodeid.partition("[")[0]


def _name(item):
    file, _, function = _full_name(item).partition("::")
    callspec = getattr(item, "callspec", None)
    return {"file": file, "function": function, "case": callspec.id if callspec else ""}


def _error(error, file):
    """The first frame of the test file is in the test function, the last is in its helper."""
    frames = [entry for entry in error.traceback
              if str(entry.path) == file and not entry.name.startswith("<")]
    record = {"error": error.typename, "text": ABOUT_PYTEST.split(str(error.value))[0].strip()}
    if frames:
        record["line"] = frames[0].lineno + 1
        record["statement"] = _statement(frames[-1])
    return record


def _statement(frame):
    """As vLLM wrote it, with all its lines. A file has thousands, so only its function is read."""
    source = textwrap.dedent("".join(inspect.getsourcelines(frame.frame.code.raw)[0]))
    line = frame.lineno - frame.frame.code.firstlineno + 1
    around = [part for part in ast.walk(ast.parse(source))
              if isinstance(part, ast.stmt) and part.lineno <= line <= part.end_lineno]
    return ast.get_source_segment(source, max(around, key=lambda part: part.lineno))
