#!/usr/bin/env python3
"""The runs of `./lab vllm`, which has built the program of the student's classes."""

import argparse
import signal
import sys

import beside
import expected
import report
import verdicts
from classes.kit import RELEASES, Kit
from classes.stack import Stack
from runner import release_files, run_functions
from runner.package_index import Unavailable


def main():
    options = read_options()
    try:
        files = release_files.provide(options.version, options.folder, lambda line: say(line))
        run = run_scheduler if options.scheduler else run_tests
        return run(files, options)
    except (Unavailable, run_functions.NotRun) as problem:
        print(f"lab: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", required=True, choices=sorted(RELEASES))
    parser.add_argument("--folder", required=True, help="where the release is kept")
    parser.add_argument("--program", help="without it, vLLM's own classes are tested")
    parser.add_argument("--labs", default="", help="whose functions are run: 01,02")
    parser.add_argument("--tree", default="", help="what the program is made of, for the report")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--scheduler", action="store_true")
    parser.add_argument("--traces", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def say(line):
    print(line, file=sys.stderr, flush=True)


def run_tests(files, options):
    table = expected.read(options.version)
    labs = [lab for lab in options.labs.split(",") if lab]
    runs = [row for row in table if row.lab in labs]
    report.print_beginning(options, runs)
    if not runs:
        return 2
    replaced, calls_of = None, tuple
    if options.program:
        stack = Stack(options.program)
        replaced, calls_of = Kit(stack, options.version).replaced(), lambda: stack.steps
    records = run_functions.run(files.tree, options.version, [row.name for row in runs],
                                replaced, calls_of)
    return report.print_verdicts(options, table, runs, verdicts.by_function(records))


def run_scheduler(files, options):
    stack = Stack(options.program)
    replaced = Kit(stack, options.version).replaced(with_scheduler=False)
    theirs = beside.decisions(files, options)
    yours = beside.decisions(files, options, replaced, lambda: stack.num_calls)
    return report.print_decisions(options, theirs, yours)


if __name__ == "__main__":
    sys.exit(main())
