"""./lab watch, its pages: text in a window of any width"""

import re
import shutil

import pytest

from kit import ROOT, lab_of, replace_in
from terminal import terminal_of

LAB = lab_of("01")
HINT = """\
two words here

  a margin stays

unbreakableword

éééééééééé

One
paragraph.

    a
    drawing
1. An item
   of a list.
2. Another.
"""


@pytest.fixture
def watch(kit):
    """The kit is a copy, whose first hint is ours. Nothing is built there."""
    root = kit.new_folder("kit with a hint")
    for part in ROOT.iterdir():
        (root / part.name).symlink_to(part)
    (root / "labs").unlink()
    shutil.copytree(ROOT / "labs", root / "labs")
    hints = root / "labs" / LAB.folder / "HINTS.md"
    first = re.search(r"</summary>\n\n(.+?)</details>", hints.read_text(), re.S)[1]
    replace_in(hints, first, HINT)
    folders = {"LAB_ROOT": str(root), "LAB_BUILD_DIR": str(kit.new_folder("build of that kit"))}
    terminal = terminal_of(kit, [kit.program, "watch", LAB.id], folders)
    terminal.expect("n next  h hint")
    yield terminal
    terminal.close()


def test_the_lines_of_a_paragraph_are_joined_and_others_are_not(watch):
    watch.type("h")
    watch.expect("""
One paragraph.

    a
    drawing
1. An item of a list.
2. Another.
""")


def test_lines_are_wrapped_at_words(watch):
    watch.resize(60, 10)
    watch.type("h")
    watch.expect("""
two words
here

  a margin
  stays

unbreakabl
eword

éééééééééé

One
paragraph.
""")


def test_colors_have_no_width(watch):
    line = watch.screen().splitlines()[0]
    assert "\033[1m" in watch.drawn.splitlines()[0]
    watch.resize(60, len(line) - 1)
    watch.expect("\n".join(line.rsplit(" ", 1)))
    watch.resize(60, len(line))
    watch.expect(line)
