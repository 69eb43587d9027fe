"""./lab serve: the fields of a call, and the form of a refusal"""

import re

import pytest

PROMPT = "It is a truth"
CHAT = "/v1/chat/completions"
CALL = {"prompt": PROMPT, "max_tokens": 8, "temperature": 0}


@pytest.mark.parametrize("field", [
    {"repetition_penalty": 1.0}, {"top_k": -1}, {"top_k": 0}, {"min_p": 0}, {"ignore_eos": False},
    {"frequency_penalty": 0}, {"logit_bias": {}}, {"tools": []}, {"tool_choice": "auto"},
    {"reasoning_effort": "none"}, {"modalities": ["text"]}, {"text": {"format": {"type": "text"}}},
    {"audio": None}, {"reasoning": {"effort": None}}, {"background": False}, {"user": "me"},
])
def test_a_value_that_changes_nothing_is_accepted(server, field):
    assert server.text(**CALL, **field) == server.text(**CALL)


@pytest.mark.parametrize("field, name", [
    ({"repetition_penalty": 1.1}, "repetition_penalty"), ({"top_k": 40}, "top_k"),
    ({"min_p": 0.1}, "min_p"), ({"audio": {"voice": "ash"}}, "audio"),
    ({"text": {"format": {"type": "json_object"}}}, "text.format"),
    ({"reasoning": {"effort": "high"}}, "reasoning.effort"),
])
def test_a_value_that_would_change_the_answer_is_refused_by_name(server, field, name):
    refused = server.post({**CALL, **field})
    assert refused.status == 400 and refused.json["error"]["param"] == name
    assert refused.json["error"]["message"] == f"{name} is not supported by this server"


def test_options_of_a_stream_that_change_nothing_are_accepted(server):
    call = {**CALL, "stream": True, "stream_options": {"include_obfuscation": False}}
    assert "".join(e["choices"][0]["text"] for e in server.post(call).events) == server.text(**CALL)
    call["stream_options"] = {"colour": "red"}
    error = server.post(call).json["error"]
    assert error["message"] == 'there is no field "stream_options.colour"'


STREAM = {"stream": True, "stream_options": {"include_usage": True}}
EACH_USAGE = {"include_usage": True, "continuous_usage_stats": True}
FIXED_LENGTH = {"stop": None, "ignore_eos": True}


@pytest.mark.parametrize("path, call", [
    ("/v1/completions", {"prompt": PROMPT, "repetition_penalty": 1.0, "max_tokens": 8,
                         "logprobs": None, **STREAM}),
    (CHAT, {"messages": [{"role": "user", "content": [{"type": "text", "text": PROMPT}]}],
            "max_completion_tokens": 8, "ignore_eos": True, **STREAM}),
    ("/v1/completions", {"prompt": PROMPT, "max_tokens": 8, **FIXED_LENGTH, **STREAM,
                         "stream_options": EACH_USAGE}),
    ("/v1/responses", {"instructions": PROMPT, "stream": True, "max_output_tokens": 8,
                       **FIXED_LENGTH, "input": [{"role": "user", "content": [
                           {"type": "input_text", "text": "She said"}]}]}),
], ids=["vllm bench", "vllm bench, chat", "guidellm", "guidellm, responses"])
def test_the_calls_of_benchmarks_are_answered(server, path, call):
    answer = server.post({"model": "pagedlab", **call}, path)
    assert answer.status == 200 and re.search(r'"(completion|output)_tokens":8\b', answer.text)


def test_the_end_of_a_text_is_ignored_if_asked_for(server):
    """With some of these seeds, the model ends its text early."""
    calls = [{"prompt": "THE END", "max_tokens": 300, "seed": seed} for seed in range(12)]
    early = [call for call in calls if server.post(call).json["usage"]["completion_tokens"] < 300]
    assert early
    for call in early[:3]:
        usage = server.post({**call, "ignore_eos": True}).json["usage"]
        assert usage["completion_tokens"] == 300


def test_each_event_has_its_usage_if_asked_for(slow):
    """At a pace that leaves each token an event of its own, on a busy machine, too."""
    options = {"include_usage": True, "continuous_usage_stats": True}
    *events, last = slow.post({**CALL, "stream": True, "stream_options": options}).events
    so_far = [event["usage"]["completion_tokens"] for event in events]
    assert so_far == sorted(so_far) and so_far[0] < so_far[-1] == 8
    assert events[-1]["usage"] == last["usage"]


def test_events_before_the_last_have_a_usage_of_null(server):
    options = {"include_usage": True}
    *events, last = server.post({**CALL, "stream": True, "stream_options": options}).events
    assert {event["usage"] for event in events} == {None} and last["usage"]


def test_a_model_is_found_by_its_name(server):
    models = server.get("/v1/models").json["data"]
    assert [server.get("/v1/models/pagedlab").json] == models
    missing = server.get("/v1/models/gpt-4")
    assert missing.status == 404 and missing.json["error"]["code"] == "model_not_found"


@pytest.mark.parametrize("call, code", [
    ({"prompt": "word " * 600}, "context_length_exceeded"),
    ({"prompt": PROMPT, "max_tokens": 600}, "context_length_exceeded"),
    ({"prompt": PROMPT, "model": "gpt-4"}, "model_not_found"),
    ({"prompt": PROMPT, "n": 0}, None),
    ("{", None),
])
def test_the_code_of_an_error_is_a_name_or_null(server, call, code):
    error = server.post(call).json["error"]
    assert error["code"] == code and set(error) == {"message", "type", "param", "code"}


def test_a_role_that_does_not_exist_is_refused(server):
    call = {"messages": [{"role": "wizard", "content": PROMPT}]}
    refused = server.post(call, CHAT)
    assert refused.status == 400
    assert 'messages has the role "wizard", and the roles are developer' in (
        refused.json["error"]["message"])


@pytest.mark.parametrize("role", ["developer", "system", "user", "assistant", "tool", "function"])
def test_the_roles_of_openai_are_accepted(server, role):
    call = {"messages": [{"role": role, "content": PROMPT}], "max_tokens": 1}
    assert server.post(call, CHAT).status == 200


def test_each_answer_has_an_id(server):
    ids = [server.get(path).headers["x-request-id"] for path in ["/v1/models", "/no/such/page"]]
    ids += [server.post(call).headers["x-request-id"] for call in [CALL, "{"]]
    ids += [server.post({**CALL, "stream": True}).headers["x-request-id"]]
    assert len(set(ids)) == 5
    sent = {"X-Request-Id": "mine-7"}
    assert server.post(CALL, headers=sent).headers["x-request-id"] == "mine-7"
