"""Records ./lab watch and draws it: figures/watch.svg, the picture in the kit's README.

It works on a copy of the kit: lab 01 is written as far as step 1.4, and that has a known bug. Then
come the right function, and the two steps after it.
"""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from terminal import Terminal
from terminal_svg import Scene, drawn

KIT = Path(__file__).parents[3]
PICTURE = KIT / "docs/site/figures/watch.svg"

LAB = "01-free-queue"
FILE = f"{LAB}/free_kv_cache_block_queue.cpp"
BUG = "append-at-the-head"
COMMAND = ["./lab", "watch", "01"]
COLUMNS, ROWS = 80, 26

IDLE = "waiting for a save"
TITLE = "./lab watch 01 in a terminal"
DESCRIPTION = (
    "A freed block is put at the wrong end of the free queue. The page shows the sentence of the"
    " contract that is broken, the calls of the test with the queue after each, the step to fix and"
    " a likely cause. After the next save step 1.4 is ok, then 1.5 and 1.6, and lab 01 is done.")


def copy_kit(copy):
    """Why a copy: the pages name the folder starter/, and yours is left alone."""
    names = subprocess.run(["git", "-C", KIT, "ls-files", "-z"], check=True, capture_output=True)
    for name in filter(None, names.stdout.decode().split("\0")):
        if (KIT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(KIT / name, copy / name)


def solved_up_to(last):
    """The student's file with the solution's bodies, as far as the step `last`."""
    written = []
    stubs = iter((KIT / "starter" / FILE).read_text().splitlines(keepends=True))
    solution = iter((KIT / "solution" / FILE).read_text().splitlines(keepends=True))
    for stub in stubs:
        line = next(solution)
        if "KV_TODO(" not in stub:
            written.append(stub)
            continue
        while line != "}\n":
            written.append(line)
            line = next(solution)
        written.append(next(stubs))
        if f'"{last}"' in stub:
            break
    return "".join([*written, *stubs])


def with_bug(text, name):
    bugs = (KIT / "grader/proof/cases" / LAB / "known_bugs.txt").read_text().split("\n\n")
    lines = next(bug for bug in bugs if bug.startswith(f"{name} | ")).splitlines()
    old, new = ("\n".join(line[2:] for line in lines if line[0] in signs) for signs in ("- ", "+ "))
    return text.replace(old, new)


def recorded_scenes(copy):
    file = copy / "starter" / FILE
    right = solved_up_to("1.4 append")
    # Why twice: then step 1.4 is the one at hand, and nothing of the kit is left to build.
    for text in (right, with_bug(right, BUG)):
        file.write_text(text)
        subprocess.run(["./lab", "grade", "01"], cwd=copy, check=False)
    with Terminal(COMMAND, copy, COLUMNS, ROWS) as terminal:
        wrong = terminal.wait_for("what went wrong", IDLE)
        file.write_text(right)
        compiling = terminal.wait_for("compiling")
        fixed = terminal.wait_for("next: write step 1.5", IDLE)
        file.write_text(solved_up_to("1.5 popleft_n"))
        next_step = terminal.wait_for("next: write step 1.6", IDLE)
        file.write_text(solved_up_to("1.6 append_n"))
        done = terminal.wait_for("next lab: ", IDLE)
    return [Scene(wrong, 8, "append puts a block at the wrong end"),
            Scene(compiling, 1, "you fix it, and save"), Scene(fixed, 3, "you fix it, and save"),
            Scene(next_step, 2.5, "you write the next step"),
            Scene(done, 5, "and the last one of the core")]


def main():
    os.environ.pop("LAB_BUILD_DIR", None)  # Why: the copy is built in itself.
    with TemporaryDirectory() as folder:
        copy_kit(Path(folder))
        scenes = recorded_scenes(Path(folder))
    picture = drawn(scenes, COLUMNS, "$ " + " ".join(COMMAND), TITLE, DESCRIPTION)
    PICTURE.write_text(picture, encoding="utf-8")
    print(f"{PICTURE.relative_to(KIT)}: {PICTURE.stat().st_size} bytes")


main()
