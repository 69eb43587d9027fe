"""Records ./lab chat with a model that people know, and draws it: figures/chat.svg, the first
picture in the kit's README.

Three questions are asked; below the answers is the pool, and how much of each prompt was found in
the cache. Needs `./lab model smollm2` before.
"""

from pathlib import Path

from terminal import Terminal
from terminal_svg import Scene, drawn

KIT = Path(__file__).parents[3]
PICTURE = KIT / "docs/site/figures/chat.svg"

COMMAND = ["./lab", "chat", "--model", "smollm2"]
# Why the solution's: nobody has written the starter here.
OPTIONS = ["--tree", "solution", "--temperature", "0", "--blocks", "32"]
COLUMNS, ROWS = 80, 20
QUESTIONS = ["What is the capital of France?", "Which river flows through it?",
             "Write one sentence about that river."]
PACE = 40  # milliseconds between two tokens, so that each screen has some of them
STILL = 3  # seconds that the end of an answer is shown

TITLE = "./lab chat in a terminal"
DESCRIPTION = (
    "Three questions to SmolLM2, and its answers word by word, computed through the queue, pool,"
    " cache, manager, attention and scheduler of the kit. Below them is the pool of 32 blocks: those"
    " of the answer, and those that are cached. Each prompt is longer than the one before, and most"
    " of it is found in the cache.")


def recorded_scenes(terminal):
    terminal.wait_for("> ")
    terminal.type(f"/pace {PACE}\n/blocks\n")
    scenes = [Scene(terminal.wait_for("c cached"), 1, "")]
    for number, question in enumerate(QUESTIONS):
        caption = f"question {number + 1} of {len(QUESTIONS)}"
        terminal.type(question + "\n")
        terminal.wait_for(question)
        screens = list(terminal.screens_until_asked("> "))
        scenes += [Scene(screen, 0.3, caption) for screen in screens[:-1:2]]
        scenes.append(Scene(screens[-1], STILL, caption))
    return scenes


def main():
    with Terminal(COMMAND + OPTIONS, KIT, COLUMNS, ROWS) as terminal:
        scenes = recorded_scenes(terminal)
    picture = drawn(scenes, COLUMNS, "$ " + " ".join(COMMAND), TITLE, DESCRIPTION)
    PICTURE.write_text(picture, encoding="utf-8")
    print(f"{PICTURE.relative_to(KIT)}: {len(scenes)} scenes, {PICTURE.stat().st_size} bytes")


main()
