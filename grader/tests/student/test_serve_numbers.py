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


def test_each_of_several_answers_has_the_numbers_that_it_has_alone(server):
    prompts = [PROMPT, "She said"]
    alone = [choice_of(server, prompt=prompt, seed=seed) for prompt in prompts for seed in [7, 8]]
    together = server.post({**CALL, "prompt": prompts, "n": 2}).json["choices"]
    assert together == [{**choice, "index": index} for index, choice in enumerate(alone)]
