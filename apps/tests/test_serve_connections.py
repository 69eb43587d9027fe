"""./lab serve: connections between two calls"""

import json
import os
import socket
import time

import pytest

from kit import ROOT
from server import Server, start_of_program, wait_until

CALL = json.dumps({"prompt": "It is a truth", "max_tokens": 1})
LONG_CALL = json.dumps({"prompt": "It is a truth", "max_tokens": 200, "ignore_eos": True})


def begin_call(server, more=""):
    """The socket of a call that the engine has begun; with more text after the call."""
    client = socket.create_connection(server.address)
    head = f"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(LONG_CALL)}"
    client.sendall(f"{head}\r\n\r\n{LONG_CALL}{more}".encode())
    wait_until(lambda: not server.is_idle())
    return client


def test_a_connection_is_kept_between_calls(server):
    connection = server.connect()
    for pause in [0] * 10 + [2]:
        time.sleep(pause)
        connection.request("POST", "/v1/completions", CALL)
        response = connection.getresponse()
        assert json.loads(response.read())["choices"] and not response.will_close
    assert int(response.headers["Keep-Alive"].split("timeout=")[1].split(",")[0]) >= 60


def test_of_many_connections_the_last_ones_end_with_their_answer(server):
    """At most half of the connections that can be open wait for a next call."""
    def is_kept(connection):
        connection.request("GET", "/health")
        response = connection.getresponse()
        response.read()
        return not response.will_close

    connections = [server.connect() for _ in range(270)]
    assert [is_kept(connection) for connection in connections] == [True] * 256 + [False] * 14
    for connection in connections:
        connection.close()
    wait_until(lambda: is_kept(server.connect()))


def test_connections_that_wait_hold_nobody_up(server):
    waiting = [socket.create_connection(server.address) for _ in range(200)]
    for connection in waiting:
        connection.sendall(b"GET /health HT")
    assert server.get("/health").status == 200
    for connection in waiting:
        with pytest.raises(BlockingIOError):  # it is still open
            connection.recv(1, socket.MSG_DONTWAIT)
        connection.close()
    wait_until(server.is_idle)


@pytest.mark.parametrize("more", ["", "\r\n", "GET /health HTTP/1.1\r\n\r\n"])
def test_a_client_that_goes_frees_its_blocks_whatever_it_has_sent_since(slow, more):
    begin_call(slow, more).close()
    wait_until(slow.is_idle, 5)


def test_a_client_that_only_listens_counts_as_gone_and_gets_no_empty_answer(slow):
    client = begin_call(slow)
    client.shutdown(socket.SHUT_WR)
    client.settimeout(10)
    assert not client.recv(100).startswith(b"HTTP/1.1 200")
    wait_until(slow.is_idle, 5)


def test_a_server_without_a_free_file_ends_when_it_is_asked_to(kit, server):
    [program] = [path for path in kit.build.rglob("lab07_serve") if os.access(path, os.X_OK)]
    few = Server(kit, program=[
        "sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", *start_of_program(program, ROOT, 64)])
    idle = [socket.create_connection(few.address) for _ in range(80)]
    time.sleep(1)
    assert "stopped: 0 requests dropped" in few.end()
    for connection in idle:
        connection.close()
