"""A program at a terminal of its own, as a person sees and uses it."""

import os
import re
import termios
import time

import pexpect
import pytest

from kit import ROOT

PATIENCE = 180  # seconds: a first build of a lab, on a busy machine
CLEARS_SCREEN = re.compile(r"\033\[H|\033\[\?1049[hl]")
SEQUENCE = re.compile(r"\033\[[\d;?]*[^\d;?]")


def terminal_of(kit, argv, env=None, **size):
    folders = {"LAB_ROOT": str(ROOT), "LAB_BUILD_DIR": str(kit.build)}
    return Terminal(argv, {**folders, **(env or {})}, **size)


class Terminal:
    def __init__(self, argv, env, rows=40, columns=80):
        program, *arguments = (str(word) for word in argv)
        self.child = pexpect.spawn(program, arguments, env={**os.environ, "TERM": "xterm", **env},
                                   dimensions=(rows, columns), encoding="utf-8")
        self.printed = ""  # all of it
        self.drawn = ""  # since the screen was last cleared or drawn from the top
        self.patience = PATIENCE

    def type(self, keys):
        self.child.send(keys)

    def resize(self, rows, columns):
        self.child.setwinsize(rows, columns)

    def screen(self):
        """The text, without colors."""
        return SEQUENCE.sub("", self.drawn).replace("\r", "")

    def expect(self, *texts):
        __tracebackhide__ = True
        for text in texts:
            if not self._waits_for(text):
                screen = re.sub(r"\n{3,}", "\n\n", self.screen())
                pytest.fail(f'the terminal does not show "{text}":\n{screen}')

    def has_line_mode(self):
        """Does it give whole lines, with echo, as at the start?"""
        line_mode = termios.ICANON | termios.ECHO
        return termios.tcgetattr(self.child.child_fd)[3] & line_mode == line_mode

    def exit_code(self):
        """Waits for the end. None: it does not end, or a signal ended it."""
        deadline = time.monotonic() + PATIENCE
        while self._read_more() and time.monotonic() < deadline:
            pass
        self.close()
        return self.child.exitstatus

    def close(self):
        """The program gets SIGHUP, as when its window is closed."""
        self.child.close(force=True)

    def _waits_for(self, text):
        """A long path may have wrapped the sentence that has it."""
        deadline = time.monotonic() + self.patience
        while text not in self.screen() and text not in " ".join(self.screen().split()):
            if time.monotonic() > deadline or not self._read_more():
                self.patience = 0  # the tests that follow look at the same screen
                return False
        return True

    def _read_more(self):
        """False when no program is at the terminal any more."""
        try:
            text = self.child.read_nonblocking(4096, timeout=0.1)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.printed += text
        self.drawn = CLEARS_SCREEN.split(self.drawn + text)[-1]
        return True
