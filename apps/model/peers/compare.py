#!/usr/bin/env python3
"""The work of `./lab generate --peers`: the stack beside llama.cpp, in turns, each with the
same weights in BF16, the same prompts, and no sampling.

Each figure is a difference between two runs of a whole process, so that it has nothing of the start
in it, or the start alone.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(1, str(Path(__file__).resolve().parents[1]))

import convert

PACKAGES = ("xllamacpp==2026.10.11549", "gguf==0.19.0", "numpy")
ROUNDS = 3
NUM_TOKENS = 64
SHORT = "The sea is"  # after which the model goes on for long
LONG = " ".join(f"The number {number} comes after {number - 1}." for number in range(1, 47))


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


FIRST_TOKEN = Task(SHORT, 1)
TASKS = {
    "first": FIRST_TOKEN, "decode": FIRST_TOKEN._replace(num_tokens=1 + NUM_TOKENS),
    "first 2": FIRST_TOKEN._replace(num_threads=2),
    "decode 2": Task(SHORT, 1 + NUM_TOKENS, num_threads=2), "prompt": Task(LONG, 1),
    "first of 8": FIRST_TOKEN._replace(num_seqs=8),
    "decode 8": Task(SHORT, 1 + NUM_TOKENS, num_seqs=8)}


def main():
    options = read_options()
    python = python_with_packages(options.place)
    gguf = options.place / "smollm2-bf16.gguf"
    if not gguf.exists():
        write_gguf(python, options.place, gguf)
    peer = Path(__file__).with_name("answers_of_llama_cpp.py")
    programs = {"yours": lambda task: ours(options, task),
                "llama.cpp": lambda task: [python, peer, gguf, json.dumps(task)]}
    runs = {(who, name): [] for who in programs for name in TASKS}
    for round_ in range(ROUNDS):
        for name, task in TASKS.items():
            for who, words in programs.items():
                print(f"\r\033[Kround {round_ + 1} of {ROUNDS}: {name}, {who}", end="",
                      file=sys.stderr, flush=True)
                runs[who, name].append(run(words(task)))
    print("\r\033[K", end="", file=sys.stderr)
    print_table({key: middle(each) for key, each in runs.items()})


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, type=Path, help="lab07_generate")
    parser.add_argument("--model", required=True, type=Path, help="a folder that ./lab model made")
    parser.add_argument("--place", required=True, type=Path, help="where the packages may lie")
    return parser.parse_args()


def python_with_packages(place):
    python = place / "python" / "bin" / "python"
    if not python.exists():
        print(f"Installing {', '.join(PACKAGES)} into {place} ...", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", place / "python"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return python


def write_gguf(python, place, target):
    """Why in another process: this one has not the packages."""
    with tempfile.TemporaryDirectory(dir=place) as folder:
        source = Path(folder) / "fetched.gguf"
        source.write_bytes(convert.fetched(*convert.FETCHED["smollm2"], Path(folder)))
        writer = Path(__file__).with_name("bf16_gguf.py")
        subprocess.run([python, writer, source, Path(folder) / "bf16.gguf"], check=True)
        os.rename(Path(folder) / "bf16.gguf", target)


def ours(options, task):
    prompts = tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False)
    with prompts:
        prompts.write("\n".join(prompt_of(task, number) for number in range(task.num_seqs)))
    pairs = {"model": options.model, "block-size": 16, "blocks": 128, "rules": "vllm_0_22",
             "threads": task.num_threads, "max-tokens": task.num_tokens, "temperature": 0,
             "top-p": 1, "seed": 0, "prompt": "", "prompts": prompts.name, "answers": 1,
             "drafts": 0}
    return [options.program, *(str(word) for pair in pairs.items() for word in pair)]


def prompt_of(task, number):
    """Another one for each request, so that no cache has it."""
    return f"{number}. {task.prompt}" if task.num_seqs > 1 else task.prompt


def run(words):
    begin = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    says = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"lab: {words[0]} failed:\n{says}")
    return Run(used.ru_utime + used.ru_stime, time.monotonic() - begin, used.ru_maxrss / 1000)


def middle(runs):
    return Run(*(statistics.median(each) for each in zip(*runs)))


def print_table(runs):
    def between(name, begin, what):
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
        yours, other = between(name, begin, what)
        print(f"{title:44}{yours:9.2f}{other:11.2f}{yours / other:8.2f}")


if __name__ == "__main__":
    main()
