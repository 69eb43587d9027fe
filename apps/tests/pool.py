"""The pool of ./lab serve: the states that it streams, and those that its page draws."""

import json
import socket
import threading
from contextlib import suppress

from server import wait_until

# Why the texts on the screen, and not the data: those could be right while another state is drawn.
DRAWN_POOL = """
  const all = (selector, of = document) => [...of.querySelectorAll(selector)];
  const part = (block, name) => block.querySelector(name).textContent;
  const idOf = (block) => Number(part(block, ".id").slice(1));
  const pool = { used: {}, block_tables: {}, answers: {}, kept: all(".block.age0, .block.age1, " +
    ".block.age2, .block.age3, .block.age4").map(idOf), hit: all(".block.hit").map(idOf) };
  pool.step = Number(part(document, ".call .number").slice("step ".length));
  pool.free = all(".queue .chips li:not(.end):not(.none)").map((item) => Number(item.textContent));
  for (const block of all(".block.used")) {
    pool.used[idOf(block)] = Number(part(block, ".count").slice(1));
    for (const name of part(block, ".owners").split(" ")) {
      (pool.block_tables[name] ??= []).push(idOf(block));
    }
  }
  for (const row of all(".queues tr")) {
    pool[part(row, "th")] = all(".chips li:not(.none)", row).map((item) => item.textContent);
  }
  for (const item of all(".answer")) pool.answers[part(item, ".letter")] = part(item, ".output");
  return pool"""


class Watcher:
    """Reads the states of a server, as a page does."""

    def __init__(self, server, headers=None):
        self.events = []
        self.connection = server.connect()
        self.connection.request("GET", "/events", headers=headers or {})
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for line in self.response:
                if line.startswith(b"data: "):
                    self.events.append(json.loads(line.removeprefix(b"data: ")))
        except (OSError, ValueError, AttributeError):
            pass  # closed

    def wait_for(self, condition):
        """The newest event, when the condition is true of it."""
        wait_until(lambda: self.events and condition(self.events[-1]))
        return self.events[-1]

    def close(self):
        """Why no close(): the thread keeps the socket open."""
        with suppress(OSError):  # closed already
            self.connection.sock.shutdown(socket.SHUT_RDWR)


def is_over(event):
    return not event["state"]["waiting"] + event["state"]["running"]


def drawn_pool(browser):
    return browser.execute_script(DRAWN_POOL)


def recorded_pool(event):
    """What the page has to draw of an event."""
    state = event["state"]
    pool = {name: state[name] for name in ("free", "used", "waiting", "running")}
    return pool | {
        "step": event["step"],
        "block_tables": {name: sorted(ids) for name, ids in state["block_tables"].items()},
        "kept": sorted(set(state["free"]) & set(state["cached"])),
        "answers": {request["name"]: request["output"] for request in event["requests"]}}
