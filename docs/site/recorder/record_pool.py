"""Records the page of ./lab serve and draws it: figures/pool.svg, the picture in the kit's README.

It presses the two buttons of the page, in a browser without a window, and draws the states that the
server streams meanwhile. Needs what the tests of pages need.
"""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

from pool_svg import FLASHES, Scene, drawn

KIT = Path(__file__).parents[3]
sys.path += [str(KIT / "tests"), str(KIT / "apps/tests")]

# Why here: they are in the folders above.
from browser import click, start_browser  # noqa: E402
from pool import Watcher, is_over  # noqa: E402
from server import Server  # noqa: E402

PICTURE = KIT / "docs/site/figures/pool.svg"
BUILD = Path(os.environ.get("LAB_BUILD_DIR", KIT / "build/lab"))
PROGRAM = os.environ.get("LAB_PROGRAM", KIT / "lab")

BLOCKS = 48
SECONDS = 0.5  # how long a scene lasts
# A button, and of how many steps a scene is made: the second part is three times as long.
PARTS = [("Eight users with one system prompt", 4), ("Too many users for this pool", 5)]
MOST_SCENES = 24  # the most that a part has

TITLE = "The page of ./lab serve"
DESCRIPTION = (
    "A cell for each of 48 blocks. Eight users with one system prompt come: six blocks are shared"
    " by eight, and each user has some of its own, with its letter. Their answers grow. Then too"
    " many users come: the pool is full, cached blocks are evicted, and requests are preempted,"
    " which wait and start again later.")


def scenes_of(events, caption, num_steps):
    """The states after so many steps each, with what happened to blocks meanwhile."""
    scenes, flashes = [], {}
    for event in events:
        for kind in reversed(FLASHES):  # the first one is shown if there are several
            if kind != "freed" or event["preempted"]:
                flashes |= {block: kind for block in event["changes"][kind]}
        if event["scheduled"] and (event["step"] - events[0]["step"]) % num_steps == 1:
            scenes.append(Scene(event, flashes, caption, SECONDS))
            flashes = {}
    return scenes[:MOST_SCENES]


def recorded_scenes(browser, watcher):
    scenes = []
    for button, num_steps in PARTS:
        number = len(watcher.events)
        click(browser, button)
        watcher.wait_for(lambda event: not is_over(event))
        watcher.wait_for(is_over)
        scenes += scenes_of(watcher.events[number:], button.lower(), num_steps)
    return scenes


def main():
    kit = SimpleNamespace(program=PROGRAM, root=KIT, build=BUILD)
    server = Server(kit, "--blocks", str(BLOCKS))
    browser = start_browser()
    browser.get("http://%s:%d/" % server.address)
    watcher = Watcher(server)
    watcher.wait_for(lambda event: True)
    scenes = recorded_scenes(browser, watcher)
    browser.quit()
    server.end()
    PICTURE.write_text(drawn(scenes, "$ ./lab serve", TITLE, DESCRIPTION), encoding="utf-8")
    print(f"{PICTURE.relative_to(KIT)}: {len(scenes)} scenes, {PICTURE.stat().st_size} bytes")


main()
