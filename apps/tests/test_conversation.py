"""./lab chat and ./lab serve with a model that has learned conversations: its template is used"""

import json
import re
import shutil

import pytest

from chat_shapes import READ
from kit import GRADED, ROOT, USAGE
from small_checkpoint import SmallCheckpoint
from terminal import PATIENCE, terminal_of

NAMES = ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>"]
USER = {"role": "user", "content": "ab"}
ASSISTANT = {"role": "assistant", "content": "cd"}
CHAT = "/v1/chat/completions"


def checkpoint_with(names):
    """These are tokens of their own; there is room for a conversation."""
    checkpoint = SmallCheckpoint()
    added, size = checkpoint.tokenizer["added_tokens"], checkpoint.config["vocab_size"]
    added.extend({**added[0], "id": size + i, "content": name} for i, name in enumerate(names))
    checkpoint.config.update(vocab_size=size + len(names), max_position_embeddings=1024)
    checkpoint.shapes["model.embed_tokens.weight"][0] = size + len(names)
    return checkpoint


@pytest.fixture
def model(kit):
    """The folder of a model of this name, which has this template."""
    models = kit.new_folder("models")

    def make(shape, name="small"):
        given = kit.new_folder("given/" + name)
        checkpoint_with(NAMES).write(given)
        (given / "tokenizer_config.json").write_text(json.dumps(
            {"bos_token": "", "eos_token": "<|endoftext|>",
             "chat_template": READ.get(shape, shape)}))
        kit.lab("model", given).expect(GRADED, "Its chat template ")
        return models / name
    return make


@pytest.fixture
def serving(model, another_server):
    def start(shape):
        folder = model(shape)
        return another_server("--model", folder.name), folder
    return start


def num_prompt_tokens(server, path=CHAT, **call):
    answer = server.post({"max_tokens": 1, **call}, path)
    assert answer.status == 200, answer.text
    return answer.json["usage"]["prompt_tokens"]


def test_the_server_writes_messages_as_the_template_does(serving):
    server, _ = serving("phi")
    # A token for each byte, and one for each name; nothing is put before the text.
    assert num_prompt_tokens(server, messages=[USER]) == len("U\nabE\nA\n")
    conversation = [{"role": "developer", "content": "s"}, USER, ASSISTANT, USER]
    assert num_prompt_tokens(server, messages=conversation) == len(
        "S\nsE\nU\nabE\nA\ncdE\nU\nabE\nA\n")
    assert num_prompt_tokens(server, messages=[{**USER, "content": "a<|end|>"}]) == len(
        "U\naEE\nA\n")
    assert num_prompt_tokens(server, "/v1/completions", prompt="ab") == len("Bab")


def test_instructions_are_a_system_message(serving):
    server, _ = serving("phi")
    answer = server.post({"instructions": "s", "input": "ab", "max_output_tokens": 16},
                         "/v1/responses").json
    assert answer["usage"]["input_tokens"] == len("S\nsE\nU\nabE\nA\n")


@pytest.mark.parametrize("shape, messages, sentence", [
    ("mistral", [USER, USER], "messages has a message of the role user after one of the role user"),
    ("mistral", [{**USER, "role": "system"}, USER], "begins with a message of the role system, "),
    ("mistral", [{**USER, "role": "tool"}], "begins with a message of the role tool, which the"),
    ("{{ strftime_now('%d') }}", [USER], "messages cannot be written for this model: its chat "
                                         "template writes the date of today into the text"),
])
def test_what_the_template_does_not_take_is_refused(serving, shape, messages, sentence):
    server, _ = serving(shape)
    answer = server.post({"messages": messages}, CHAT)
    assert answer.status == 400 and sentence in answer.json["error"]["message"], answer.text
    assert answer.json["error"]["param"] == "messages"
    assert server.text(prompt="ab", max_tokens=1) is not None


def test_an_answer_stops_at_the_end_of_a_turn(serving, another_server):
    server, folder = serving("phi")
    call = {"messages": [USER], "temperature": 0, "max_tokens": 5}
    said = server.post({**call, "logprobs": True}, CHAT).json["choices"][0]
    assert said["finish_reason"] == "length"
    letters = [entry["bytes"] for entry in said["logprobs"]["content"]]
    end = next(i for i in range(1, 5) if letters[i] not in letters[:i])
    chat = json.loads((folder / "chat.json").read_text())
    chat["ends"].append(letters[end][0] + 1)
    (folder / "chat.json").write_text(json.dumps(chat))

    other = another_server("--model", folder.name)
    choice = other.post(call, CHAT).json["choices"][0]
    assert choice["finish_reason"] == "stop"
    assert choice["message"]["content"].encode() == bytes(byte for letter in letters[:end]
                                                          for byte in letter)
    longer = other.post({**call, "ignore_eos": True}, CHAT).json["choices"][0]
    assert longer["finish_reason"] == "length"
    assert other.post({"prompt": "ab", "max_tokens": 5}).json["usage"]["completion_tokens"] == 5


def test_an_end_of_the_generation_config_ends_each_text(kit, model):
    folder = model("phi")
    speak = ["generate", "ab", "--tree", "solution", "--model", "small", "--max-tokens", "3"]
    ends = list(range(1, 261))  # each token but the beginning
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": ends}))
    kit.lab(*speak).expect(GRADED, "1 steps, ")
    (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": [261]}))
    kit.lab(*speak).expect(USAGE, 'generation_config.json has an "eos_token_id" that is no token')


class Chat:
    """At a terminal."""

    def __init__(self, kit, *options):
        argv = [kit.program, "chat", "--tree", "solution", "--max-tokens", "20", "--block-size",
                "4", *options]
        self.child = terminal_of(kit, argv, {"NO_COLOR": "1"}, rows=24, columns=150).child
        self.answer_ends()

    def answer_ends(self):
        self.child.expect("\n> $", timeout=PATIENCE)
        return re.sub(r"\x1b(\[[0-9;]*[A-Z]|[D78])", "", self.child.before).replace("\r", "")

    def status_after(self, line):
        """Tokens of the prompt, and those of them that were cached."""
        self.child.sendline(line)
        last = self.answer_ends().rstrip("\n").splitlines()[-1]
        return [int(number) for number in re.search(
            r"^\d+ tokens, .* prompt: (\d+) tokens, (\d+) of prefix hits", last).groups()]


def test_a_chat_finds_the_conversation_so_far_in_the_cache(kit):
    kit.new_folder("models")
    given = kit.new_folder("given/kits")
    shutil.copytree(ROOT / "labs/07-serving/given/model", given, dirs_exist_ok=True)
    (given / "tokenizer_config.json").write_text(json.dumps({"chat_template": READ["phi"]}))
    kit.lab("model", given).expect(GRADED, "Its chat template is read.")
    chat = Chat(kit, "--model", "kits", "--system", "Be kind.")
    num_prompt, num_hits = chat.status_after("It was")
    assert num_hits == 0
    for _ in range(2):
        before = num_prompt
        num_prompt, num_hits = chat.status_after("She said")
        assert before < num_hits < num_prompt  # the answer is found, too
    chat.child.sendline("/system")
    chat.answer_ends()
    assert chat.status_after("It was")[1] < 10
    chat.child.sendeof()


def test_a_chat_that_cannot_be_had_is_refused(kit, model):
    def asked(*options):
        return kit.lab("chat", "--tree", "solution", *options, stdin="ab\n")
    asked("--system", "s").expect(USAGE, "learned no conversations, so it takes no system message")
    model("mistral")
    asked("--model", "small", "--max-tokens", "1").expect(GRADED)
    asked("--model", "small", "--system", "s").expect(
        USAGE, "a conversation with a system message begins with a message of the role system")
    model("{{ strftime_now('%d') }}", "other")
    asked("--model", "other").expect(
        USAGE, "a conversation cannot be written for this model: its chat template writes the date",
        "; ./lab generate goes on with a text")
    (kit.build / "models/other/chat.json").write_text("{}")
    asked("--model", "other").expect(USAGE, "chat.json is not what ./lab model writes there; ")


def test_a_template_that_nobody_has_read_is_not_ignored(kit, model):
    model("phi")
    given = kit.build / "given/small"
    kit.lab("chat", "--tree", "solution", "--model", given, stdin="ab\n").expect(
        USAGE, "its chat template is not read yet: ./lab model ", "./lab generate goes on with a")
