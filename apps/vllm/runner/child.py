"""A copy of this process that does one thing, and says what it found in lines of JSON."""

import json
import os
import select
import signal
import time


class Child:
    def __init__(self, number, pipe, leads):
        self.number = number
        self.leads = leads  # a group of processes, so that what it starts ends with it
        self.pipe = pipe
        self.status = None

    def end(self):
        """Ends what still runs. `status` is that of the process: below 0, the signal."""
        if self.status is None:
            # Not reaped yet, so the number is still that of this process.
            os.waitid(os.P_PID, self.number, os.WEXITED | os.WNOWAIT)
            self.kill()
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.number, 0)[1])
            os.close(self.pipe)
        return self.status

    def kill(self):
        """Without a group of its own, the child itself. Its group might not exist yet."""
        for kill in (os.killpg, os.kill) if self.leads else (os.kill,):
            self._signal(kill, signal.SIGKILL)

    def interrupt(self):
        """As Control-C: the child ends what it started."""
        self._signal(os.kill, signal.SIGINT)

    def _signal(self, kill, number):
        try:
            kill(self.number, number)
        except ProcessLookupError:
            pass


def start(work, leads=False):
    """`work` gets a function that sends a dictionary. It has no input and no output."""
    ours, theirs = os.pipe()
    number = os.fork()
    if number != 0:
        os.close(theirs)
        return Child(number, ours, leads)
    status = 1
    try:
        if leads:
            os.setpgid(0, 0)
        os.close(ours)
        nothing = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(nothing, standard)
        work(lambda message: _send(theirs, message))
        status = 0
    finally:
        os._exit(status)


def _send(pipe, message):
    line = json.dumps(message).encode() + b"\n"
    while line:
        line = line[os.write(pipe, line):]


def read_lines(child, limit=None):
    """The dictionaries that a child sends. After `limit` seconds without its end, TimeoutError."""
    deadline = None if limit is None else time.monotonic() + limit
    rest = b""
    while True:
        left = None if deadline is None else max(0, deadline - time.monotonic())
        if not select.select([child.pipe], [], [], left)[0]:
            raise TimeoutError
        piece = os.read(child.pipe, 1 << 16)
        if not piece:
            return
        *lines, rest = (rest + piece).split(b"\n")
        yield from map(json.loads, lines)
