"""What the tests of the programs may ask for."""

import pytest

from pool import Watcher
from server import Server


@pytest.fixture(scope="module")
def server(kit):
    """./lab serve with the solution, the same one for all tests of a file."""
    server = Server(kit)
    yield server
    server.end()


@pytest.fixture
def another_server(kit):
    """With options; it is ended after the test, unless the test has done so."""
    servers = []

    def start(*options):
        servers.append(Server(kit, *options))
        return servers[-1]
    yield start
    for server in servers:
        server.process.kill()
        server.process.communicate()


@pytest.fixture
def slow(server):
    """A server that makes two steps a second, for somebody watches it."""
    watcher = Watcher(server)
    server.post({"steps_a_second": 2}, "/pace")
    yield server
    server.post({"steps_a_second": 0}, "/pace")
    watcher.close()
