"""The student's classes, in a program of their own: a call is a line, and so is its answer."""

import json
import os
import signal
import socket
import subprocess

SECONDS = 5  # for a call, which takes microseconds

# The steps that a call is, or leans on first. What is given has none.
STEPS = {
    "get_all_free_blocks": ["1.1"], "remove": ["1.2"], "popleft": ["1.3"], "append": ["1.4"],
    "popleft_n": ["1.5"], "append_n": ["1.6"], "prepend_n": ["1.11"],
    "pool_free_blocks": ["1.1"], "get_num_free_blocks": ["2.1"], "get_new_blocks": ["2.2"],
    "touch": ["2.3"], "free_blocks": ["2.4"], "get_usage": ["2.5"],
    "hash_block_tokens": ["3.1"], "generate_block_hash_extra_keys": ["3.2"],
    "append_tokens": ["3.3"], "map_insert": ["3.4"], "map_get_one_block": ["3.5"],
    "map_pop": ["3.6"], "cache_full_blocks": ["3.11"], "get_cached_block": ["3.12"],
    "maybe_evict_cached_block": ["3.14"], "reset_prefix_cache": ["3.15"],
    "evict_blocks": ["3.17"], "take_events": ["3.18"],
    "get_computed_blocks": ["4.4"], "allocate_slots": ["4.6"], "free": ["4.7"],
    "get_num_common_prefix_blocks": ["4.9"],
    "add_request": ["7.1"], "finish_requests": ["7.2"], "schedule": ["7.4", "7.5"],
    "update_from_output": ["7.8"],
}


class NotWritten(Exception):
    """A step that is not written yet, in the kit's words."""


class Refused(AssertionError, ValueError, RuntimeError):
    """A call that breaks a rule of a contract. Why three bases: where vLLM checks, it raises one of
    these."""


class Broken(Exception):
    """The student's code threw something else, or ended the program."""


class Needs(Exception):
    """A test asks for what this course leaves out."""


class Stack:
    def __init__(self, program):
        self.program = program
        self.process = None  # started by the first call, which a process for each test makes
        self.num_calls = 0
        self.steps = set()  # those that the calls lean on
        self.prints = os.dup(2)  # a test's own process has none

    def ask(self, name, *arguments):
        if self.process is None:
            self._start()
        self.num_calls += 1
        self.steps.update(STEPS.get(name, ()))
        line = self._answer_to(name, json.dumps([name, *arguments]))
        if not line:
            raise Broken(f"{name} ended the program, {self._how_it_ended()}")
        return self._given(json.loads(line))

    def _start(self):
        """The student's code may print: so the calls have a socket, and prints go to the user."""
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                [self.program, str(theirs.fileno())], pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL, stdout=self.prints, stderr=self.prints)
        self.socket.settimeout(SECONDS)
        self.answers = self.socket.makefile()

    def _answer_to(self, name, call):
        try:
            self.socket.sendall(call.encode() + b"\n")
        except ConnectionError:
            pass  # what the program said before it ended is the answer
        try:
            return self.answers.readline()
        except TimeoutError:
            self.process.kill()
            raise Broken(f"{name} did not end within {SECONDS} s") from None
        except OSError:
            return ""  # also after a call that did not end

    def _given(self, answer):
        if "gave" in answer:
            return answer["gave"]
        if "unwritten" in answer:
            raise NotWritten(answer["unwritten"])
        if "refused" in answer:
            raise Refused(answer["refused"])
        raise Broken(f"it threw {answer['threw']}")

    def _how_it_ended(self):
        code = self.process.wait()
        return f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
