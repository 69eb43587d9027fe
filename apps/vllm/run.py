#!/usr/bin/env python3
"""What `./lab vllm` starts when it has built the program of the student's classes."""

import argparse
import os
import signal
import sys
import traceback

from runner.package_index import OLDEST_PYTHON, Unavailable, check_python

WRONG_USE, KIT_BROKEN, MACHINE_FAILED = 2, 3, 3  # base/text/errors.h
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def main():
    options = read_options()
    try:
        for number in ENDING:
            signal.signal(number, stop)
        check_python(options.version)
        import runs  # why not above: an older Python cannot read all of it
        code = runs.run(options)
        sys.stdout.flush()
        return code
    except Unavailable as problem:
        print(f"lab: {problem}", file=sys.stderr)
        return WRONG_USE
    except Stopped as stopped:
        end_by(stopped.args[0])
    except BrokenPipeError:  # nobody reads on
        end_by(signal.SIGPIPE)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # it is written to at the end
        print(f"lab: the machine refuses what ./lab vllm needs: {error}", file=sys.stderr)
        return MACHINE_FAILED
    except Exception:
        traceback.print_exc()
        print("lab: the kit's own part of ./lab vllm is broken; please report the lines above",
              file=sys.stderr)
        return KIT_BROKEN


class Stopped(BaseException):
    """By a signal. What was begun is removed on the way out."""


def stop(number, _):
    for ending in ENDING:
        signal.signal(ending, signal.SIG_IGN)
    raise Stopped(number)


def end_by(number):
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", required=True, choices=sorted(OLDEST_PYTHON))
    parser.add_argument("--folder", required=True, help="where the release is kept")
    parser.add_argument("--program", help="without it, vLLM's own classes are tested")
    parser.add_argument("--labs", default="", help="whose functions are run: 01,02")
    parser.add_argument("--tree", default="", help="what the program is made of, for the report")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--scheduler", action="store_true")
    parser.add_argument("--traces", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
