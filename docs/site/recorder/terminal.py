"""A program at a pseudo terminal, and the screen that it draws."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from itertools import groupby
from typing import NamedTuple

import pyte

PATIENCE = 120  # seconds: a first build of a lab's tests, on a busy machine
RESTING = 0.02  # seconds without a word: the screen is whole


class Run(NamedTuple):
    """Words of one row that look alike, with one blank between two."""

    column: int
    text: str
    color: str  # "default", "green" or "red"
    is_bold: bool


class Terminal:
    def __init__(self, command, folder, columns, rows):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, os.environ | {"TERM": "xterm"})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)  # the program gets SIGHUP
        os.waitpid(self.pid, 0)

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def wait_for(self, *texts):
        """The rows of the first screen that has all these texts, each a list of runs."""
        end = time.monotonic() + PATIENCE
        while not all(text in "\n".join(self.screen.display) for text in texts):
            if time.monotonic() > end:
                raise SystemExit(f"no {texts} on the screen:\n" + "\n".join(self.screen.display))
            self._read(1)
        return self._rows()

    def screens_until_asked(self, prompt):
        """The rows of each screen at which the program rests, up to that on which it asks again."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._read(1):
                while self._read(RESTING):
                    pass
                yield self._rows()
            if self.screen.display[self.screen.cursor.y].rstrip() == prompt.rstrip():
                return
        raise SystemExit("no end of:\n" + "\n".join(self.screen.display))

    def _read(self, seconds):
        """Whether the program has written something."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return False
        self.stream.feed(os.read(self.fd, 65536))
        return True

    def _rows(self):
        return [self._runs(row) for row in range(self.screen.lines)]

    def _runs(self, row):
        cells = [(column, self.screen.buffer[row][column]) for column in range(self.screen.columns)]
        runs = []
        for look, group in groupby(cells, lambda cell: (cell[1].fg, cell[1].bold)):
            group = list(group)
            text = "".join(character.data for _, character in group)
            for words in re.finditer(r"\S+(?: \S+)*", text):
                runs.append(Run(group[0][0] + words.start(), words[0], *look))
        return runs
