"""./lab serve: a number is the same, however one asks for it"""

import pytest

PROMPT = "It is a truth"
CHAT = "/v1/chat/completions"
RESPONSES = "/v1/responses"
CALL = {"prompt": PROMPT, "max_tokens": 40, "seed": 7, "logprobs": 3}
LISTS = ["tokens", "token_logprobs", "top_logprobs", "text_offset"]


def choices_of_stream(server, call):
    """The choices of the whole answer, put together from their pieces."""
    choices = {}
    for event in server.post({**call, "stream": True}).events:
        piece = event["choices"][0]
        whole = choices.setdefault(piece["index"], {**piece, "text": "", "logprobs": {
            name: [] for name in LISTS}})
        whole["text"] += piece["text"]
        whole["finish_reason"] = piece["finish_reason"]
        for name in LISTS:
            whole["logprobs"][name] += piece["logprobs"][name]
    return [choices[index] for index in sorted(choices)]


def choice_of(server, **call):
    return server.post({**CALL, **call}).json["choices"][0]


@pytest.mark.parametrize("stop", [None, [" the", "it"], [" the z", "e q", "zz"]])
@pytest.mark.parametrize("seed", range(6))
def test_a_stream_has_the_numbers_of_the_whole_answer(server, stop, seed):
    call = {**CALL, "n": 2, "stop": stop, "seed": seed}
    assert choices_of_stream(server, call) == server.post(call).json["choices"]


def test_a_stream_has_the_usage_of_the_whole_answer(server):
    call = {**CALL, "prompt": [PROMPT * 8, "She said"], "n": 2}
    server.post(call)  # then the cache has the prompts
    whole = server.post(call).json["usage"]
    assert whole["prompt_tokens_details"]["cached_tokens"] > 0
    options = {"stream": True, "stream_options": {"include_usage": True}}
    assert server.post({**call, **options}).events[-1]["usage"] == whole


def test_each_of_several_answers_has_the_numbers_that_it_has_alone(server):
    prompts = [PROMPT, "She said"]
    alone = [choice_of(server, prompt=prompt, seed=seed) for prompt in prompts for seed in [7, 8]]
    together = server.post({**CALL, "prompt": prompts, "n": 2}).json["choices"]
    assert together == [{**choice, "index": index} for index, choice in enumerate(alone)]


def test_the_endpoints_have_the_same_numbers(server):
    options = {"seed": 7, "temperature": 0.8, "top_logprobs": 3}
    lists = choice_of(server, temperature=0.8)["logprobs"]
    chat = {**options, "max_tokens": 40, "logprobs": True,
            "messages": [{"role": "user", "content": PROMPT}]}
    tokens = server.post(chat, CHAT).json["choices"][0]["logprobs"]["content"]
    assert [token["token"] for token in tokens] == lists["tokens"]
    assert [token["logprob"] for token in tokens] == lists["token_logprobs"]
    assert [{top["token"]: top["logprob"] for top in token["top_logprobs"]}
            for token in tokens] == lists["top_logprobs"]

    pieces = [event["choices"][0] for event in server.post({**chat, "stream": True}, CHAT).events]
    assert sum((piece["logprobs"]["content"] for piece in pieces), []) == tokens
    response = server.post({**options, "input": PROMPT, "max_output_tokens": 40}, RESPONSES).json
    assert response["output"][0]["content"][0]["logprobs"] == tokens


def test_a_prompt_that_is_given_back_has_the_numbers_of_an_answer(server):
    """Each token is as likely in a prompt as it was when the model chose it."""
    answer = choice_of(server, temperature=0)
    lists = choice_of(server, prompt=PROMPT + answer["text"], echo=True)["logprobs"]
    first = len(lists["tokens"]) - 40 - len(answer["logprobs"]["tokens"])
    for name in LISTS:
        shift = len(PROMPT) if name == "text_offset" else 0
        of_answer = [value + shift if shift else value for value in answer["logprobs"][name]]
        assert lists[name][first:-40] == of_answer
    assert lists["token_logprobs"][0] is lists["top_logprobs"][0] is None


@pytest.mark.parametrize("max_tokens", [0, 1, 20])
def test_a_stream_gives_the_numbers_of_the_prompt_back(server, max_tokens):
    call = {**CALL, "echo": True, "max_tokens": max_tokens, "stop": ["truth", " th q"]}
    assert choices_of_stream(server, call) == server.post(call).json["choices"]


def test_a_prompt_alone_is_an_answer(server):
    answer = server.post({**CALL, "echo": True, "max_tokens": 0}).json
    choice = answer["choices"][0]
    assert choice["text"] == PROMPT == "".join(choice["logprobs"]["tokens"])
    assert choice["finish_reason"] == "length" and answer["usage"]["completion_tokens"] == 0
    refused = server.post({**CALL, "max_tokens": 0})
    assert "max_tokens has to be a whole number from 1" in refused.json["error"]["message"]


def test_the_numbers_of_long_prompts_do_not_depend_on_their_steps(server):
    """Together they need more tokens than a step has, and more blocks than the pool."""
    server.start_over(40)
    prompts = [f"{PROMPT}, number {i}" + " and a long one" * 70 for i in range(5)]
    call = {**CALL, "echo": True}
    alone = [choice_of(server, **{**call, "prompt": prompt}) for prompt in prompts]
    together = server.post({**call, "prompt": prompts}).json["choices"]
    assert [choice["logprobs"] for choice in together] == [one["logprobs"] for one in alone]
    assert server.metrics()["vllm:num_preemptions_total"] > 0


def test_an_offset_counts_letters(server):
    answer = choice_of(server, prompt="Né à Paris, où", echo=True)
    tokens, offsets = (answer["logprobs"][name] for name in ["tokens", "text_offset"])
    whole = [pair for pair in zip(tokens, offsets) if "\N{REPLACEMENT CHARACTER}" not in pair[0]]
    assert len(whole) > 40
    for token, offset in whole:
        assert answer["text"][offset:].startswith(token)
