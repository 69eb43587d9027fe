"""./lab serve and ./lab chat: a tree that breaks while it answers"""

import signal
import time

import pytest

from broken_stack import FAULTS, broken_stack
from kit import USAGE
from pool import Watcher
from server import Server, read, wait_until
from terminal import terminal_of

BUILDS_FOR_OTHERS = True  # all labs with -O2, as test_chat.py

PROMPT = "It is a truth"
NO_END = "stopped in the middle of a step"


@pytest.fixture(scope="module")
def tree(kit):
    return broken_stack(kit)


@pytest.fixture
def start(kit, tree, monkeypatch):
    """A server with this fault, which is paused, and a page that watches it."""
    def start_with(fault):
        monkeypatch.setenv("FAULT", fault)
        server = Server(kit, tree=tree)
        watcher = Watcher(server)
        server.post({"paused": True}, "/pace")
        return server, watcher
    return start_with


def begin(server, watcher, **call):
    """A call that waits until the engine goes on."""
    number = len(watcher.events[-1]["requests"]) if watcher.events else 0
    connection = server.send({"prompt": PROMPT, "max_tokens": 100, **call})
    watcher.wait_for(lambda event: len(event["requests"]) > number)
    return connection


@pytest.mark.parametrize("fault", FAULTS)
def test_each_open_call_and_the_page_and_the_terminal_say_why(start, fault):
    server, watcher = start(fault)
    calls = [begin(server, watcher, stream=is_stream) for is_stream in (False, True)]
    server.post({"paused": False}, "/pace")
    whole, stream = (read(call) for call in calls)
    assert whole.status == 500 and whole.json["error"]["type"] == "server_error"
    wait_until(lambda: "error" in watcher.events[-1])
    for said in (whole.json, stream.events[-1], watcher.events[-1]):
        assert said["error"]["message"] == FAULTS[fault]
    assert server.has_ended(USAGE).count(FAULTS[fault]) == 1


def test_a_request_that_is_listed_without_a_token_is_a_sentence(start):
    server, watcher = start("empty")
    call = begin(server, watcher)
    server.post({"paused": False}, "/pace")
    says = "the tree throws an exception: a request is listed without a token"
    assert says in read(call).json["error"]["message"]
    assert says in server.has_ended(USAGE)


def test_a_stream_of_responses_begins_before_it_fails(start):
    server, watcher = start("early")
    connection = server.send({"input": PROMPT, "stream": True}, "/v1/responses")
    watcher.wait_for(lambda event: event["requests"])
    server.post({"paused": False}, "/pace")
    names = [line.removeprefix("event: ") for line in read(connection).text.splitlines()
             if line.startswith("event: ")]
    assert names[0] == "response.created" and names[-1] == "response.failed"
    server.has_ended(USAGE)


def test_a_step_without_an_end_does_not_keep_the_server(start):
    server, watcher = start("endless")
    call = begin(server, watcher)
    server.post({"paused": False}, "/pace")
    watcher.wait_for(lambda event: event["step"] == 4)
    server.process.send_signal(signal.SIGTERM)
    wait_until(lambda: server.get("/health").status == 503)
    server.process.send_signal(signal.SIGTERM)  # does not wait for the open call
    assert NO_END in server.has_ended(USAGE)
    call.close()


@pytest.mark.parametrize("fault", FAULTS)
def test_the_chat_says_why_after_its_text(kit, tree, fault):
    kit.lab("chat", "--tree", tree, stdin=PROMPT, env={"FAULT": fault}).expect(
        USAGE, f"\nchat: {FAULTS[fault]}\n")


def chat_at_a_terminal(kit, tree, fault):
    terminal = terminal_of(kit, [kit.program, "chat", "--tree", tree], {"FAULT": fault})
    terminal.expect("> ")
    terminal.type(PROMPT + "\r")
    return terminal


def test_a_terminal_shows_the_reason_in_place_of_the_lines_below_the_text(kit, tree):
    terminal = chat_at_a_terminal(kit, tree, "lost")
    assert terminal.exit_code() == USAGE
    assert terminal.screen().endswith(f"\n\nchat: {FAULTS['lost']}\n")


def test_ctrl_c_twice_ends_a_chat_whose_step_has_no_end(kit, tree):
    terminal = chat_at_a_terminal(kit, tree, "endless")
    terminal.expect("no end")
    for _ in range(2):
        terminal.child.sendintr()
        time.sleep(0.5)  # Why: two at a time are one.
    assert terminal.exit_code() == USAGE and NO_END in terminal.screen()
