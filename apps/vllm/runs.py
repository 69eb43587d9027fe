"""The runs of `./lab vllm`: of vLLM's test functions, and of its scheduler."""

import shutil
import sys
import tempfile
from contextlib import contextmanager

import beside
import expected
import report
import verdicts
from classes.kit import Kit
from classes.stack import Stack
from runner import package_index, release_files, run_functions
from runner.package_index import Unavailable


def run(options):
    """The exit code."""
    files = release_files.provide(options.version, options.folder, say)
    try:
        with own_copy(options) as program:
            run_it = run_scheduler if options.scheduler else run_tests
            return run_it(files, options, program)
    except run_functions.NotRun as problem:
        raise Unavailable(problem) from problem


def say(line):
    print(line, file=sys.stderr, flush=True)


@contextmanager
def own_copy(options):
    """The program. Why a copy: each test starts it, and meanwhile another command might build it
    again, of another tree."""
    if not options.program:
        yield None
        return
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="program.") as place:
        try:
            copy = shutil.copy(options.program, place)
        except OSError as error:
            raise package_index.no_room(error, options.folder) from error
        yield copy


def run_tests(files, options, program):
    table = expected.read(options.version)
    labs = [lab for lab in options.labs.split(",") if lab]
    functions = [row for row in table if row.lab in labs]
    report.print_beginning(options, functions)
    if not functions:
        return 2
    replaced, calls_of = None, tuple
    if program:
        stack = Stack(program)
        replaced, calls_of = Kit(stack, options.version).replaced(), lambda: stack.steps
    records = run_functions.run(files.tree, options.version, [row.name for row in functions],
                                replaced, calls_of)
    return report.print_verdicts(options, table, functions, verdicts.by_function(records))


def run_scheduler(files, options, program):
    stack = Stack(program)
    replaced = Kit(stack, options.version).replaced(with_scheduler=False)
    theirs = beside.decisions(files, options)
    yours = beside.decisions(files, options, replaced, lambda: stack.num_calls)
    return report.print_decisions(options, theirs, yours)
