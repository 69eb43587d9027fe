"""./lab serve: /v1/responses, whole and as a stream"""

import itertools
import json

import pytest

PATH = "/v1/responses"
INPUT = "It is a truth"
CALL = {"input": INPUT, "max_output_tokens": 20, "temperature": 0}


def text_of(response):
    [message] = response["output"]
    [part] = message["content"]
    assert message["type"] == "message" and message["role"] == "assistant"
    assert part["type"] == "output_text"
    return part["text"]


def events_of(answer):
    """Each event's name is its type, and they are counted."""
    events = []
    for block in answer.text.removesuffix("\n\n").split("\n\n"):
        name, data = block.split("\n")
        events.append(json.loads(data.removeprefix("data: ")))
        assert name == "event: " + events[-1]["type"]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    return events


def without_identity(response):
    """What two answers to one call have in common."""
    message = {**response["output"][0], "id": None}
    return {**response, "id": None, "created_at": None, "output": [message], "usage": None}


@pytest.mark.parametrize("call", [
    {"input": INPUT + "\nShe said"},
    {"input": "She said", "instructions": INPUT},
    {"input": [{"role": "user", "content": INPUT}, {"role": "assistant", "content": "She said"}]},
    {"input": [{"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": INPUT + "\nShe"},
        {"type": "input_text", "text": " said"}]}]},
    {"instructions": INPUT, "input": [{"type": "message", "role": "assistant", "content": [
        {"type": "output_text", "text": "She said", "annotations": []}]}]},
])
def test_a_response_answers_the_instructions_and_the_input(server, call):
    response = server.post({**CALL, **call}, PATH).json
    assert response["object"] == "response" and response["id"].startswith("resp_")
    assert text_of(response) == server.text(
        prompt=INPUT + "\nShe said", max_tokens=20, temperature=0)
    assert response["instructions"] == call.get("instructions")
    assert response["max_output_tokens"] == response["usage"]["output_tokens"] == 20


def test_a_response_that_was_cut_is_incomplete(server):
    cut = server.post(CALL, PATH).json
    assert cut["status"] == cut["output"][0]["status"] == "incomplete"
    assert cut["incomplete_details"] == {"reason": "max_output_tokens"}
    whole = server.post({**CALL, "stop": text_of(cut)[10:14]}, PATH).json
    assert whole["status"] == whole["output"][0]["status"] == "completed"
    assert whole["incomplete_details"] is None


@pytest.mark.parametrize("options", [{}, {"top_logprobs": 2}, {"stop": [" th z", "e"]}])
def test_a_stream_builds_the_response_event_by_event(server, options):
    call = {**CALL, **options}
    whole = server.post(call, PATH).json
    events = events_of(server.post({**call, "stream": True}, PATH))
    types = [kind for kind, _ in itertools.groupby(event["type"] for event in events)]
    assert types == [
        "response.created", "response.in_progress", "response.output_item.added",
        "response.content_part.added", "response.output_text.delta", "response.output_text.done",
        "response.content_part.done", "response.output_item.done", f"response.{whole['status']}"]

    assert events[0]["response"]["status"] == "in_progress" and not events[0]["response"]["output"]
    deltas = [event["delta"] for event in events if event["type"].endswith("delta")]
    *_, text, part, item, last = events
    assert "".join(deltas) == text["text"] == part["part"]["text"] == text_of(whole)
    assert item["item"] == last["response"]["output"][0]
    assert without_identity(last["response"]) == without_identity(whole)


def test_the_usage_says_what_the_prefix_cache_found(server):
    call = {"input": "Pride and prejudice. " * 10, "max_output_tokens": 1}
    first, second = (server.post(call, PATH).json["usage"] for _ in range(2))
    full = first["input_tokens"] // 16 * 16
    assert first["input_tokens_details"] == {"cached_tokens": 0, "cache_write_tokens": full}
    assert second["input_tokens_details"]["cached_tokens"] > 0


@pytest.mark.parametrize("fields, name, reason", [
    ({"tools": [{"type": "web_search"}]}, "tools", "is not supported by this server"),
    ({"previous_response_id": "resp_1"}, "previous_response_id", "is not supported"),
    ({"conversation": "conv_1"}, "conversation", "is not supported by this server"),
    ({"background": True}, "background", "is not supported by this server"),
    ({"truncation": "auto"}, "truncation", "is not supported by this server"),
    ({"prompt": {"id": "pmpt_1"}}, "prompt", "is not supported by this server"),
    ({"text": {"format": {"type": "json_object"}}}, "text.format", "is not supported"),
    ({"reasoning": {"effort": "high"}}, "reasoning.effort", "is not supported by this server"),
    ({"include": "all"}, "include", "has to be a list"),
    ({"instructions": ["be brief"]}, "instructions", "has to be a text"),
    ({"input": None}, "input", "has to be a text or a list of messages"),
    ({"input": []}, "input", "has to be a list with at least one message"),
    ({"text": "plain"}, "text", "has to be a JSON object"),
    ({"input": [{"type": "function_call_output", "call_id": "1", "output": "2"}]}, "input",
     'has an item of the type "function_call_output"; this server reads messages only'),
    ({"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]},
     "input", "needs a content that is text"),
    ({"input": [{"role": "tool", "content": "2"}]}, "input", 'has the role "tool"'),
    ({"n": 2}, "n", 'there is no field "n"'),
])
def test_what_a_response_cannot_have_is_refused_by_name(server, fields, name, reason):
    refused = server.post({**CALL, **fields}, PATH)
    assert refused.status == 400 and reason in refused.json["error"]["message"]
    assert refused.json["error"]["param"] == name


def test_a_stream_that_breaks_ends_with_a_response_that_failed(server):
    call = server.send({**CALL, "max_output_tokens": 400, "stream": True}, PATH)
    response = call.getresponse()
    response.read(1)
    server.start_over(64)
    last = json.loads(response.read().decode().split("data: ")[-1])
    assert last["type"] == "response.failed" and last["response"]["status"] == "failed"
    assert "another pool" in last["response"]["error"]["message"]
