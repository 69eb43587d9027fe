"""./lab serve: ten seconds after a signal it has ended, whatever its connections wait for"""

import contextlib
import json
import signal
import socket
import threading
import time

import pytest

from kit import GRADED
from pool import Watcher
from server import wait_until

SECONDS_AFTER_SIGNALS = {1: 10, 2: 2}
SLACK = 2  # seconds: of a busy machine
PROMPT = "It is a truth"


def announce(server, num_bytes):
    """A connection with a call whose body is still to come."""
    sender = socket.create_connection(server.address)
    sender.sendall(head_of(num_bytes))
    return sender


def head_of(num_bytes):
    return f"POST /v1/completions HTTP/1.1\r\nContent-Length: {num_bytes}\r\n\r\n".encode()


def tokenize(server):
    """As many long words as a call may have: a longer one is refused before that."""
    body = json.dumps({"prompt": ["-" * 6_000] * 128})
    sender = announce(server, len(body))
    sender.sendall(body.encode())
    return sender


def send_slowly(server):
    """A byte of the body each second."""
    sender = announce(server, 100)

    def send():
        with contextlib.suppress(OSError):
            while True:
                sender.sendall(b" ")
                time.sleep(1)
    threading.Thread(target=send, daemon=True).start()
    return sender


def read_slowly(server):
    """It takes nothing of an answer that is larger than what the system holds for it."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    reader.connect(server.address)
    body = json.dumps({"prompt": PROMPT, "max_tokens": 400, "n": 60, "logprobs": 20,
                       "stream": True})
    reader.sendall(head_of(len(body)) + body.encode())
    wait_until(lambda: not server.is_idle())
    return reader


def wait_for_a_step(server):
    """The engine makes one step in two hundred seconds while a page watches it."""
    watcher = Watcher(server)
    server.post({"steps_a_second": 0.005}, "/pace")
    call = server.send({"prompt": PROMPT, "max_tokens": 400})
    watcher.wait_for(lambda event: event["requests"])
    return watcher, call


def idle(server):
    connection = server.connect()
    connection.request("GET", "/health")
    connection.getresponse().read()
    return connection


@pytest.mark.parametrize("num_signals", SECONDS_AFTER_SIGNALS)
@pytest.mark.parametrize("begin", [tokenize, send_slowly, read_slowly, wait_for_a_step, idle])
def test_the_end_waits_for_no_connection(another_server, begin, num_signals):
    server = another_server()
    _connection = begin(server)  # it stays open
    time.sleep(0.5)  # until the server is at work on it
    for number in range(num_signals):
        time.sleep(0.2 * number)  # or both count as one
        server.process.send_signal(signal.SIGTERM)
    server.patience = SECONDS_AFTER_SIGNALS[num_signals] + SLACK
    server.has_ended(GRADED)
