"""./lab serve: OpenAI's client, the fields that it can send and the types that it reads"""

import json
from collections import Counter

import pytest

from kit import python_with, run

VERSION = "3.57.0"
CALLS = {
    "/v1/completions": {"prompt": "It is a truth", "max_tokens": 1},
    "/v1/chat/completions": {"messages": [{"role": "user", "content": "It is"}], "max_tokens": 1},
    "/v1/responses": {"input": "It is a truth", "max_output_tokens": 1},
}
READ_TYPES = """
import json
from typing import get_type_hints
from openai.types import completion_create_params as completions
from openai.types.chat import completion_create_params as chat
from openai.types.responses import response_create_params as responses
print(json.dumps({
    "/v1/completions": [*get_type_hints(completions.CompletionCreateParamsStreaming)],
    "/v1/chat/completions": [*get_type_hints(chat.CompletionCreateParamsStreaming)],
    "/v1/responses": [*get_type_hints(responses.ResponseCreateParamsStreaming)],
}))
"""
READ_ANSWERS = """
import sys
from openai import OpenAI
client = OpenAI(base_url=sys.argv[1], api_key="none", max_retries=0)
call = {"model": "pagedlab", "max_tokens": 5}
say = {"messages": [{"role": "user", "content": "It is"}], "logprobs": True, "top_logprobs": 2}
ask = {"model": "pagedlab", "input": "It is", "max_output_tokens": 5, "top_logprobs": 2}
answers = [
    client.models.retrieve("pagedlab"),
    client.completions.create(**call, prompt="It is", logprobs=2),
    client.chat.completions.create(**call, **say),
    *client.chat.completions.create(**call, **say, stream=True),
    client.responses.create(**ask),
    *client.responses.create(**ask, stream=True),
]
with client.responses.stream(**ask) as stream:
    answers += [event.response for event in stream if event.type == "response.incomplete"]
for answer in answers:
    type(answer).model_validate_json(answer.model_dump_json())
print(len(answers), "answers")
"""
ODD = {"odd": "value"}  # that no field has


@pytest.fixture(scope="module")
def python(kit):
    """One that has the client."""
    return python_with(kit.build.parent.parent, "openai", VERSION)


@pytest.fixture(scope="module")
def fields(python):
    """[endpoint]"""
    types = run([python, "-c", READ_TYPES])
    types.expect(0)
    return json.loads(types.output)


def test_each_answer_has_the_types_of_the_client(server, python):
    run([python, "-c", READ_ANSWERS, "http://%s:%d/v1" % server.address]).expect(0, "answers")


def outcome(server, endpoint, field, value):
    """What becomes of the field: accepted, neutral if null, or done; else the refusal."""
    answer = server.post({**CALLS[endpoint], field: value}, endpoint)
    if answer.status == 200:
        return "accepted"
    message = answer.json["error"]["message"]
    if message == f"{field} is not supported by this server" or f'"{field}.odd"' in message:
        return "only if neutral"
    return "done" if message.startswith(field + " ") else message


@pytest.mark.parametrize("endpoint", CALLS)
def test_each_field_is_done_or_refused_by_name(server, fields, endpoint):
    outcomes = {field: outcome(server, endpoint, field, ODD) for field in fields[endpoint]}
    counts = Counter(outcomes.values())
    print(endpoint, len(outcomes), dict(counts), sorted(
        field for field, one in outcomes.items() if one == "only if neutral"))
    assert set(counts) <= {"done", "only if neutral", "accepted"}
    assert counts["done"] >= 10


@pytest.mark.parametrize("endpoint", CALLS)
def test_null_is_the_same_as_no_field(server, fields, endpoint):
    text = next(iter(CALLS[endpoint]))
    for field in fields[endpoint]:
        expected = "done" if field == text else "accepted"
        assert outcome(server, endpoint, field, None) == expected, field
