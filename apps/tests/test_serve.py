"""./lab serve: a server that OpenAI's clients can call"""

import shlex
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import GRADED, ROOT, USAGE, need, run
from server import Server, wait_until

PROMPT = "It is a truth"
CHAT = "/v1/chat/completions"


def messages(*texts):
    return [{"role": "user", "content": text} for text in texts]


def test_there_is_one_model(server):
    models = server.get("/v1/models").json
    assert [model["id"] for model in models["data"]] == ["pagedlab"]
    assert server.get("/health").status == 200


def test_a_completion_and_its_usage(server):
    answer = server.post({"model": "pagedlab", "prompt": PROMPT, "max_tokens": 8}).json
    assert answer["object"] == "text_completion" and answer["id"].startswith("cmpl-")
    assert answer["choices"][0]["text"] and answer["choices"][0]["finish_reason"] == "length"
    usage = answer["usage"]
    assert usage["completion_tokens"] == 8
    assert usage["total_tokens"] == usage["prompt_tokens"] + 8


def test_a_chat_joins_its_messages(server):
    call = {"messages": messages(PROMPT, "She said"), "max_tokens": 8, "temperature": 0}
    chat = server.post(call, CHAT).json
    assert chat["object"] == "chat.completion"
    assert chat["choices"][0]["message"] == {
        "role": "assistant",
        "content": server.text(prompt=PROMPT + "\nShe said", max_tokens=8, temperature=0)}


def test_the_second_call_finds_the_blocks_of_the_first(server):
    call = {"prompt": "Sense and sensibility. " * 10, "max_tokens": 1}
    usages = [server.post(call).json["usage"] for _ in range(2)]
    cached = [usage["prompt_tokens_details"]["cached_tokens"] for usage in usages]
    assert cached == [0, (usages[0]["prompt_tokens"] - 1) // 16 * 16]


def test_a_seed_gives_its_text_again_and_none_gives_others(server):
    texts = [server.text(prompt=PROMPT, seed=seed) for seed in [7, 8, 7, None, None]]
    assert texts[0] == texts[2] and len(set(texts)) == 4


def test_each_of_several_answers_has_the_next_seed(server):
    call = {"prompt": [PROMPT, "She said"], "n": 2, "seed": 7}
    choices = server.post(call).json["choices"]
    assert [choice["index"] for choice in choices] == [0, 1, 2, 3]
    assert [choice["text"] for choice in choices] == [
        server.text(prompt=prompt, seed=seed) for prompt in call["prompt"] for seed in [7, 8]]


def test_a_stop_text_ends_the_answer_before_it(server):
    call = {"prompt": PROMPT, "max_tokens": 60, "temperature": 0}
    whole = server.text(**call)
    stop = whole[20:25]
    answer = server.post({**call, "stop": ["no such text", stop]}).json["choices"][0]
    assert answer["text"] == whole[:whole.index(stop)] and answer["finish_reason"] == "stop"
    wait_until(server.is_idle)


@pytest.mark.parametrize("stop", [None, ", ", "e"])
def test_a_stream_says_the_same_in_pieces(server, stop):
    call = {"prompt": PROMPT, "max_tokens": 40, "temperature": 0, "stop": stop, "n": 2}
    choices = server.post(call).json["choices"]
    events = server.post({**call, "stream": True}).events
    for choice in choices:
        pieces = [event["choices"][0] for event in events
                  if event["choices"][0]["index"] == choice["index"]]
        assert "".join(piece["text"] for piece in pieces) == choice["text"]
        reasons = [piece["finish_reason"] for piece in pieces]
        assert reasons == [None] * (len(pieces) - 1) + [choice["finish_reason"]]


def test_a_stream_of_a_chat_ends_with_its_usage(server):
    call = {"messages": messages(PROMPT), "max_tokens": 5, "temperature": 0}
    *events, last = server.post({**call, "stream": True,
                                 "stream_options": {"include_usage": True}}, CHAT).events
    whole = server.post(call, CHAT).json
    deltas = [event["choices"][0]["delta"] for event in events]
    assert deltas[0]["role"] == "assistant"
    text = "".join(delta["content"] for delta in deltas)
    assert text == whole["choices"][0]["message"]["content"]
    assert last["choices"] == [] and last["usage"]["completion_tokens"] == 5


def test_the_most_likely_token_is_the_first_of_the_logprobs(server):
    call = {"prompt": PROMPT, "max_tokens": 6, "temperature": 0}
    answer = server.post({**call, "logprobs": 3}).json["choices"][0]
    lists = answer["logprobs"]
    assert "".join(lists["tokens"]) == answer["text"]
    for token, logprob, top, offset in zip(lists["tokens"], lists["token_logprobs"],
                                           lists["top_logprobs"], lists["text_offset"]):
        assert answer["text"][offset:].startswith(token)
        assert len(top) == 3 and top[token] == logprob == max(top.values()) < 0
    chat = {"messages": messages(PROMPT), "max_tokens": 6, "temperature": 0, "logprobs": True}
    content = server.post(chat, CHAT).json["choices"][0]["logprobs"]["content"]
    assert [entry["logprob"] for entry in content] == lists["token_logprobs"]


def test_all_probabilities_sum_to_one(server):
    """The most that a call can ask for are 20, so one token has to be likely."""
    call = {"prompt": "Mr. Collins and Mr", "max_tokens": 1, "temperature": 0, "logprobs": 20}
    top = server.post(call).json["choices"][0]["logprobs"]["top_logprobs"][0]
    total = sum(2.718281828459045 ** logprob for logprob in top.values())
    assert len(top) == 20 and 0.5 < total <= 1 + 1e-9


def test_echo_gives_the_prompt_back(server):
    call = {"prompt": PROMPT, "max_tokens": 4, "temperature": 0}
    assert server.text(**call, echo=True) == PROMPT + server.text(**call)


@pytest.mark.parametrize("call, status, sentence", [
    ("{", 400, "the body is not JSON"),
    ("[" * 100_000, 400, "the body is not JSON"),
    (b'{"prompt": "\xff"}', 400, "the body is not JSON"),
    (b"[]", 400, "has to be a JSON object"),
    ({}, 400, "prompt has to be a text or a list of tokens"),
    ({"prompt": []}, 400, "prompt is an empty list"),
    ({"prompt": [5000]}, 400, "prompt has token 5000, and the model has tokens 0 to 2047"),
    ({"prompt": PROMPT, "model": "gpt-4"}, 404, 'there is no model "gpt-4" here'),
    ({"prompt": PROMPT, "max_tokens": -1}, 400, "max_tokens has to be a whole number"),
    ({"prompt": PROMPT, "max_tokens": 1.5}, 400, "max_tokens has to be a whole number"),
    ({"prompt": PROMPT, "max_tokens": 600}, 400, "maximum context length is 512 tokens"),
    ({"prompt": "word " * 600}, 400, "maximum context length is 512 tokens, and the prompt has "),
    ('{"prompt": "It", "temperature": NaN}', 400, "the body is not JSON"),
    ({"prompt": PROMPT, "temperature": 3}, 400, "temperature has to be a number from 0 to 2"),
    ({"prompt": PROMPT, "top_p": "1"}, 400, "top_p has to be a number from 0 to 1"),
    ({"prompt": PROMPT, "stop": [""]}, 400, "stop has to be a text that is not empty"),
    ({"prompt": PROMPT, "n": 0}, 400, "n has to be a whole number from 1 to 128"),
    ({"prompt": PROMPT, "stream": "yes"}, 400, "stream has to be true or false"),
    ({"prompt": PROMPT, "stream_options": {}}, 400, "stream_options needs stream"),
    ({"prompt": PROMPT, "frequency_penalty": 1}, 400, "is not supported by this server"),
    ({"prompt": PROMPT, "colour": "red"}, 400, 'there is no field "colour"'),
])
def test_a_wrong_call_is_told_what_is_wrong(server, call, status, sentence):
    answer = server.post(call)
    assert answer.status == status
    error = answer.json["error"]
    assert sentence in error["message"] and error["type"]


DEEP = "[" * 60_000 + "]" * 60_000  # a copy of it took all of the stack


@pytest.mark.parametrize("path, call", [
    ("/v1/completions", '{"prompt": "a", "stop": %s}'),
    ("/v1/completions", '{"prompt": "a", "model": %s}'),
    ("/v1/completions", '{"prompt": %s}'),
    ("/v1/chat/completions", '{"messages": [{"role": "user", "content": %s}]}'),
    ("/v1/responses", '{"input": %s}'),
    ("/pool", '{"blocks": %s}'),
])
def test_json_that_is_nested_deep_is_refused(server, path, call):
    answer = server.post(call % DEEP, path)
    assert answer.status == 400
    assert "nested more than 64 deep" in answer.json["error"]["message"]
    assert server.text(prompt=PROMPT, max_tokens=1)


@pytest.mark.parametrize("path, field", [
    ("/v1/completions", {"prompt": "-" * 900_000}),
    ("/v1/completions", {"prompt": ["a", "-" * 40_000]}),
    ("/v1/chat/completions", {"messages": [{"role": "user", "content": "-" * 900_000}]}),
    ("/v1/responses", {"input": "-" * 900_000}),
])
def test_a_word_that_cannot_fit_is_refused_before_it_is_cut_into_tokens(server, path, field):
    answer = server.post(field, path)
    error = answer.json["error"]
    assert answer.status == 400 and error["code"] == "context_length_exceeded"
    assert error["param"] in field and "the prompt has at least " in error["message"]


def test_a_long_word_that_may_fit_is_cut_into_tokens(server):
    answer = server.post({"prompt": "-" * 4_000})
    assert "and the prompt has " in answer.json["error"]["message"]


def test_top_p_of_0_is_the_most_likely_token(server):
    likely = server.text(prompt=PROMPT, max_tokens=8, temperature=0)
    assert server.text(prompt=PROMPT, max_tokens=8, top_p=0) == likely


def test_a_call_that_is_too_large_is_not_read(server):
    answer = server.post(b" " * 2_000_000)
    assert answer.status == 413 and "1 MiB" in answer.json["error"]["message"]


@pytest.mark.parametrize("stream", [True, False])
def test_the_blocks_of_a_client_that_has_gone_are_free_at_once(server, stream):
    call = {"prompt": PROMPT, "max_tokens": 400, "n": 8, "stream": stream}
    connection = server.send(call)
    wait_until(lambda: not server.is_idle())
    connection.sock.close()
    wait_until(server.is_idle, seconds=5)


def test_a_client_that_sends_nothing_hinders_nobody(server):
    with socket.create_connection(server.address) as silent:
        silent.sendall(b"POST /v1/completions HTTP/1.1\r\nContent-Length: 100\r\n\r\n{")
        assert server.text(prompt=PROMPT, max_tokens=1)


def curl_lines():
    lines = (ROOT / "docs/serve.md").read_text().splitlines()
    return [line for line in lines if line.startswith("curl ")]


@pytest.mark.parametrize("line", curl_lines())
def test_the_calls_of_the_page_are_answered(server, line):
    need("curl")
    url = "http://%s:%d" % server.address
    words = shlex.split(line.replace("http://127.0.0.1:8000", url))
    run([*words, "--fail", "--silent", "--show-error"]).expect(0)


def test_one_request_too_many_is_sent_away(another_server):
    server = another_server("--max-requests", "2")
    open_call = server.send({"prompt": PROMPT, "max_tokens": 500, "n": 2, "stream": True})
    open_call.getresponse().read(1)
    refused = server.post({"prompt": PROMPT})
    assert refused.status == 429 and refused.headers["Retry-After"] == "1"


def test_a_key_is_asked_for(another_server):
    server = another_server("--api-key", "secret")
    call = {"prompt": PROMPT, "max_tokens": 1}
    assert server.post(call).status == 401 == server.get("/v1/models").status
    assert server.post(call, headers={"Authorization": "Bearer secret"}).status == 200
    assert server.get("/health").status == 200


def test_open_calls_finish_after_a_signal(another_server):
    server = another_server()
    call = server.send({"prompt": PROMPT, "max_tokens": 400, "stream": True})
    response = call.getresponse()
    response.read(1)
    server.process.send_signal(signal.SIGTERM)
    wait_until(lambda: server.get("/health").status == 503)
    output = server.has_ended(GRADED)
    assert "[DONE]" in response.read().decode() and "stopped: 0 requests dropped" in output


def test_a_port_that_is_taken_is_refused(kit, server):
    port = str(server.address[1])
    kit.lab("serve", "--tree", "solution", "--port", port).expect(
        USAGE, f"port {port} of 127.0.0.1 cannot be had; choose another one with --port")


def test_the_missing_step_is_named(kit):
    kit.lab("serve").expect(USAGE, "./lab serve needs all core steps of lab 07", "7.1 ")


def test_many_clients_get_the_text_that_each_has_alone(another_server):
    """The pool is too small for them, and a fifth of them hang up in the middle."""
    server = another_server("--blocks", "40")
    calls = [{"prompt": PROMPT + " that" * (i % 7), "max_tokens": 20 + i % 30, "seed": i}
             for i in range(64)]
    alone = [server.text(**call) for call in calls[:16]]

    def text_of(call):
        if call["seed"] % 5 != 4:
            return server.text(**call)
        connection = server.send({**call, "stream": True})
        connection.getresponse().read(1)
        connection.sock.close()
        return None

    started = time.monotonic()
    with ThreadPoolExecutor(len(calls)) as clients:
        texts = list(clients.map(text_of, calls))
    assert time.monotonic() - started < 60
    for text, expected in zip(texts, alone):
        assert text in (None, expected)
    wait_until(server.is_idle, seconds=5)
    assert server.metrics()["vllm:num_preemptions_total"] > 0
