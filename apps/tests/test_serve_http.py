"""./lab serve: bodies, and the pages that may call"""

import contextlib
import gzip
import itertools
import json
import socket

import pytest

from kit import USAGE
from server import read

PROMPT = "It is a truth"
MIB = 1 << 20
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
GZIP = {"Content-Encoding": "gzip"}
WAYS = ["a length", "a form", "gzip", "chunks"]


def one_token(prompt=PROMPT):
    return json.dumps({"prompt": prompt, "max_tokens": 1}).encode()


def raw_call(path, body, *headers, method="POST"):
    lines = [f"{method} {path} HTTP/1.1", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def expect_refused(answer, status, sentence):
    assert answer.status == status, answer.text
    error = answer.json["error"]
    assert sentence in error["message"] and error["type"]


@pytest.mark.parametrize("headers, body", [
    ({}, b" " * (MIB + 1)),
    (FORM, b" " * (MIB + 1)),
    (GZIP, gzip.compress(b" " * (200 * MIB))),
    ({}, itertools.repeat(b" " * MIB, 30)),
], ids=WAYS)
def test_no_body_has_more_than_1_mib(server, headers, body):
    connection = server.connect()
    # The server answers and closes while the client is sending; the answer can be read after that.
    with contextlib.suppress(ConnectionError):
        connection.request("POST", "/v1/completions", body, headers)
    expect_refused(read(connection), 413, "the body has more than 1 MiB")


@pytest.mark.parametrize("headers, body", [
    (FORM, one_token().ljust(MIB)),
    (GZIP, gzip.compress(one_token().ljust(MIB))),
    ({}, [one_token(), b" " * (MIB - len(one_token()))]),
], ids=WAYS[1:])
def test_a_body_of_1_mib_is_read(server, headers, body):
    connection = server.connect()
    connection.request("POST", "/v1/completions", body, headers)
    assert read(connection).status == 200


@pytest.mark.parametrize("sent, status, sentence", [
    (b"POST /step HTTP/1.1\r\n\r\n", 409, "the engine is not paused"),
    (b"POST /nothing HTTP/1.1\r\n\r\n", 404, "there is no POST /nothing"),
    (b"PUT /step HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 404, "there is no PUT /step"),
    (b"GET /health\r\n\r\n", 400, "this is no call of HTTP/1.1"),
    (b"GET /health HTTP/1.1\r\nX: " + b"x" * 9000 + b"\r\n\r\n", 400, "more than 8 KiB"),
    (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", 414, "the URL has more than 8 KiB"),
    (raw_call("/step", b"no gzip", "Content-Encoding: gzip"), 400,
     'the body cannot be unpacked as "gzip"'),
    (raw_call("/step", b"--x", "Content-Type: multipart/form-data; boundary=x"), 415,
     "the body has to be JSON"),
], ids=["no body", "no handler", "no method", "no version", "header", "URL", "gzip", "parts"])
def test_each_refusal_says_what_is_wrong(server, sent, status, sentence):
    connection = server.connect()
    connection.connect()
    connection.sock.sendall(sent)
    response = connection.response_class(connection.sock)
    response.begin()
    error = json.loads(response.read())["error"]
    assert response.status == status and sentence in error["message"]


@pytest.mark.parametrize("path, headers", [
    ("/step", ["Origin: http://evil.example"]),
    ("/step", ["Content-Type: multipart/form-data; boundary=x"]),
    ("/step", ["Content-Encoding: gzip"]),
    ("/" + "x" * 9000, []),
    ("/nothing", []),
], ids=["origin", "parts", "gzip", "URL", "no handler"])
def test_after_a_refused_call_its_connection_takes_no_other(server, path, headers):
    """The rest of the refused body could be read as a call."""
    first = second = b""
    with socket.create_connection(server.address, timeout=10) as connection:
        connection.sendall(raw_call(path, b" " * 100, *headers))
        while not first.endswith(b"}}"):
            first += connection.recv(MIB)
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"GET /health HTTP/1.1\r\n\r\n")
            second = connection.recv(MIB)
    assert first.startswith(b"HTTP/1.1 4") and not second.startswith(b"HTTP/1.1 2")


@pytest.mark.parametrize("header, value, allowed", [
    ("Host", "localhost:8000", True),
    ("Host", "127.9.9.9", True),
    ("Host", "[::1]:8000", True),
    ("Host", "192.168.1.7:8000", True),
    ("Host", "evil.example:8000", False),
    ("Host", "localhost.evil.example", False),
    ("Origin", "http://localhost:3000", True),
    ("Origin", "http://127.0.0.1:8000", True),
    ("Origin", "http://evil.example", False),
    ("Origin", "http://127.0.0.1.evil.example", False),
    ("Origin", "null", False),
])
def test_pages_of_other_machines_are_sent_away(server, header, value, allowed):
    for path in ("/step", "/v1/completions"):
        answer = server.post(one_token(), path, {header: value})
        assert (answer.status != 403) == allowed
        assert (answer.headers.get("Access-Control-Allow-Origin") == value) == (
            allowed and header == "Origin")
    if not allowed:
        expect_refused(answer, 403, "--allow-origin")


def test_a_page_without_an_address_is_not_told_to_list_it(server):
    answer = server.post(one_token(), headers={"Origin": "null"})
    expect_refused(answer, 403, "pages without an address, as those of files, cannot call")


@pytest.mark.parametrize("path, site, status", [
    ("/events", "cross-site", 403), ("/health", "cross-site", 403), ("/", "cross-site", 200),
    ("/health", "same-origin", 200), ("/health", "none", 200)])
def test_a_picture_in_another_page_is_no_call(server, path, site, status):
    connection = server.connect()
    connection.request("GET", path, headers={"Sec-Fetch-Site": site})
    assert read(connection).status == status


def test_a_page_of_an_origin_that_is_listed_may_call(another_server):
    server = another_server("--allow-origin", "https://chat.example", "--api-key", "secret")
    origin = {"Origin": "https://chat.example", "Host": "chat.example"}
    connection = server.connect()
    connection.request("OPTIONS", "/v1/completions", headers={
        **origin, "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type"})
    preflight = read(connection)
    assert preflight.status == 204
    assert preflight.headers["Access-Control-Allow-Origin"] == "https://chat.example"
    assert "Authorization" in preflight.headers["Access-Control-Allow-Headers"]
    assert server.post(one_token(), headers=origin).status == 401
    key = {"Authorization": "bearer secret"}
    assert server.post(one_token(), headers={**origin, **key}).status == 200
    assert server.post(one_token(), headers={"Origin": "https://evil.example", **key}).status == 403


@pytest.mark.parametrize("option, value, like", [
    ("--allow-origin", "chat.example", "https://name:port"),
    ("--course", "our course", "https://name/page"),
    ("--course", "javascript:alert(1)", "https://name/page"),
])
def test_an_address_has_a_form(kit, option, value, like):
    kit.lab("serve", option, value).expect(USAGE, f'"{value}" is not like {like}')
