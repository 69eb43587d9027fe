#!/usr/bin/env python3
"""The work of `./lab generate --peers`: the stack beside llama.cpp, in turns, each with the
same weights in BF16, the same prompts, and no sampling.

What an answer takes is the difference between two runs of a whole process, so that it has nothing of
the start in it.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

import convert
from runner.package_index import Unavailable

PACKAGES = ("xllamacpp==2026.10.11549", "gguf==0.19.0", "numpy")
ROUNDS = 3
NUM_TOKENS = 64
SHORT = "The sea is"  # after which the model goes on for long
LONG = " ".join(f"The number {number} comes after {number - 1}." for number in range(1, 47))


class Failed(Exception):
    """One sentence."""


class Run(NamedTuple):
    cpu: float  # seconds
    wall: float
    peak: float  # megabytes


class Task(NamedTuple):
    """What one process does."""
    prompt: str
    num_tokens: int
    num_threads: int = 1
    num_seqs: int = 1


TASKS = {
    "first": Task(SHORT, 1), "decode": Task(SHORT, 1 + NUM_TOKENS),
    "first 2": Task(SHORT, 1, num_threads=2),
    "decode 2": Task(SHORT, 1 + NUM_TOKENS, num_threads=2), "prompt": Task(LONG, 1),
    "first of 8": Task(SHORT, 1, num_seqs=8),
    "decode 8": Task(SHORT, 1 + NUM_TOKENS, num_seqs=8)}


def main():
    options = read_options()
    try:
        with tempfile.TemporaryDirectory(dir=options.place) as folder:
            compare(options, Path(folder))
        return 0
    except (Unavailable, Failed) as problem:
        print(f"lab: {problem}", file=sys.stderr)
    except OSError as problem:
        print(f"lab: {problem.filename}: {problem.strerror}", file=sys.stderr)
    except KeyboardInterrupt:
        print("\nlab: stopped", file=sys.stderr)
    return 2


def compare(options, folder):
    python = python_with_packages(options.place)
    gguf = options.place / "smollm2-bf16.gguf"
    if not gguf.exists():
        write_gguf(python, folder, gguf)
    peer = Path(__file__).with_name("answers_of_llama_cpp.py")
    programs = {"yours": lambda task: ours(options, folder, task),
                "llama.cpp": lambda task: [python, peer, gguf, json.dumps(task)]}
    runs = {(who, name): [] for who in programs for name in TASKS}
    for round_ in range(ROUNDS):
        for name, task in TASKS.items():
            for who, words in programs.items():
                show(f"round {round_ + 1} of {ROUNDS}: {name}, {who}")
                runs[who, name].append(run(words(task), task))
    show("")
    print_table({key: middle(each) for key, each in runs.items()})


def show(progress):
    if sys.stderr.isatty():
        print(f"\r\033[K{progress}", end="", file=sys.stderr, flush=True)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, type=Path, help="lab07_generate")
    parser.add_argument("--model", required=True, type=Path, help="a folder that ./lab model made")
    parser.add_argument("--place", required=True, type=Path, help="where the packages may lie")
    return parser.parse_args()


def python_with_packages(place):
    """A folder of Python's with the packages; the file `packages` in it says that it is whole."""
    folder = place / "python"
    whole, python = folder / "packages", folder / "bin" / "python"
    if whole.exists() and whole.read_text() == str(PACKAGES):
        return python
    print(f"Installing {', '.join(PACKAGES)} into {folder} ...", file=sys.stderr, flush=True)
    succeed("python3 has no venv; install Debian's python3-venv", sys.executable, "-m", "venv", folder)
    succeed("the packages cannot be installed; is there a network?",
            python, "-m", "pip", "install", "-q", *PACKAGES)
    whole.write_text(str(PACKAGES))
    return python


def write_gguf(python, folder, target):
    """Why in another process: this one does not have the packages."""
    source, made = folder / "fetched.gguf", folder / "bf16.gguf"
    source.write_bytes(convert.fetched(*convert.FETCHED["smollm2"], folder))
    writer = Path(__file__).with_name("bf16_gguf.py")
    succeed("the model cannot be written for llama.cpp", python, writer, source, made)
    os.rename(made, target)


def succeed(otherwise, *words):
    if subprocess.run(words).returncode != 0:
        raise Failed(otherwise)


def ours(options, folder, task):
    prompts = folder / "prompts.txt"
    prompts.write_text("\n".join(prompt_of(task, number) for number in range(task.num_seqs)))
    pairs = {"model": options.model, "block-size": 16, "blocks": 128, "rules": "vllm_0_22",
             "threads": task.num_threads, "max-tokens": task.num_tokens, "temperature": 0,
             "top-p": 1, "seed": 0, "prompt": "", "prompts": prompts, "answers": 1, "drafts": 0}
    return [options.program, *(str(word) for pair in pairs.items() for word in pair)]


def prompt_of(task, number):
    """Another one for each request, so that no cache has it."""
    return f"{number}. {task.prompt}" if task.num_seqs > 1 else task.prompt


def run(words, task):
    """Why it looks for the steps: a text that ends early is no answer of that many tokens."""
    begin = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    said = process.stdout.read().decode(errors="replace")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = status
    steps = re.search(r"^(\d+) steps,", said, re.MULTILINE)
    if status != 0 or (steps and int(steps[1]) < task.num_tokens):
        raise Failed(f"{Path(words[0]).name} has not answered with {task.num_tokens} tokens")
    bytes_ = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Run(used.ru_utime + used.ru_stime, time.monotonic() - begin, bytes_ / 1e6)


def middle(runs):
    return Run(*(statistics.median(each) for each in zip(*runs)))


def print_table(runs):
    def difference(name, begin, what):
        return [getattr(runs[who, name], what) - (getattr(runs[who, begin], what) if begin else 0)
                for who in ("yours", "llama.cpp")]

    print(f"{'':44}{'yours':>9}{'llama.cpp':>11}{'ratio':>8}")
    for title, name, begin, what in (
            ("start to first token, CPU s", "first", None, "cpu"),
            (f"{NUM_TOKENS} tokens, 1 thread, CPU s", "decode", "first", "cpu"),
            (f"{NUM_TOKENS} tokens, 2 threads, s", "decode 2", "first 2", "wall"),
            ("a long prompt, 1 thread, CPU s", "prompt", "first", "cpu"),
            (f"8 texts of {NUM_TOKENS} tokens, 1 thread, CPU s", "decode 8", "first of 8", "cpu"),
            ("peak memory, MB", "decode", None, "peak")):
        yours, other = difference(name, begin, what)
        print(f"{title:44}{yours:9.2f}{other:11.2f}{yours / other:8.2f}")


if __name__ == "__main__":
    sys.exit(main())
