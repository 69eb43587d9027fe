"""./lab serve: connections between two calls"""

import json
import socket
import time

import pytest

from server import wait_until

CALL = json.dumps({"prompt": "It is a truth", "max_tokens": 1})


def test_a_connection_is_kept_between_calls(server):
    connection = server.connect()
    for pause in [0] * 10 + [2]:
        time.sleep(pause)
        connection.request("POST", "/v1/completions", CALL)
        response = connection.getresponse()
        assert json.loads(response.read())["choices"] and not response.will_close
    assert int(response.headers["Keep-Alive"].split("timeout=")[1].split(",")[0]) >= 60


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
