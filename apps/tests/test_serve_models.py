"""./lab serve: models of other makers, which may lack tokens or begin a text with a name"""

import pytest

from server import Server
from small_checkpoint import SmallCheckpoint

POSITIONS = 64
LONG = "a" * (POSITIONS - 3)  # with its beginning, it leaves room for two tokens


@pytest.fixture(scope="module")
def serve(kit):
    """A server of the small checkpoint with these changes of its tokenizer; a shell ends a folder
    with a slash."""
    servers = []

    def start(**tokenizer):
        folder = kit.new_folder("models") / "small"
        folder.mkdir()
        checkpoint = SmallCheckpoint()
        checkpoint.tokenizer.update(tokenizer)
        checkpoint.write(folder)
        servers.append(Server(kit, "--model", f"{folder}/", "--block-size", "8"))
        return servers[-1]
    yield start
    for server in servers:
        server.end()


@pytest.fixture(scope="module")
def small(serve):
    return serve()


def test_no_prompt_of_a_list_may_be_empty(serve):
    """Without a token that begins a text, an empty prompt has none."""
    server = serve(post_processor=None)
    for prompt in ("", ["a", ""], [[1], []]):
        answer = server.post({"prompt": prompt, "max_tokens": 1})
        assert answer.status == 400 and answer.json["error"]["param"] == "prompt"
    assert server.post({"prompt": ["a", "b"], "max_tokens": 1}).status == 200


def test_an_echo_begins_with_the_prompt(small):
    choice = small.post({"prompt": "ab", "echo": True, "max_tokens": 2, "logprobs": 0}).json[
        "choices"][0]
    assert choice["text"].startswith("ab")
    assert choice["logprobs"]["text_offset"][:3] == [0, 0, 1]


def test_a_prompt_of_a_list_gets_what_it_gets_alone(small):
    call = {"seed": 7, "prompt": [LONG, "abc"]}
    both = small.post(call).json["choices"]
    alone = [small.post({**call, "prompt": prompt}).json["choices"][0] for prompt in call["prompt"]]
    assert [choice["text"] for choice in both] == [choice["text"] for choice in alone]
    assert small.post({**call, "max_tokens": 3}).status == 400


def test_a_model_has_the_name_of_its_folder(small):
    assert small.get("/v1/models").json["data"][0]["id"] == "small"
    assert small.post({"model": "small", "prompt": "a", "max_tokens": 1}).status == 200
