"""chat templates: a conversation is written as the model's own template writes it, or refused"""

import itertools
import json
import random

import pytest

from chat_shapes import READ, REFUSED, TEXTS
from kit import GRADED, ROOT, USAGE, python_with, run
from small_checkpoint import SmallCheckpoint

NAMES = {"bos_token": "<s>", "eos_token": {"content": "</s>"}}
FIRST = [{"role": "system", "content": " Be kind.\n"}]
REST = [{"role": "user", "content": " Hi "}, {"role": "assistant", "content": "\n{{ you }}\u2003"},
        {"role": "user", "content": "2?"}]
END = ", which the model's chat template does not take"
WORDS = ["a", "<|end|>", "</s>", "[/INST]", " ", "\n", "\t", "\x1c", "\u0085", "\u00a0", "\u2003",
         "\u200b", "\u180e", "{{ m }}", "{% if %}", "'", '"', "\\n", "\u00bd", "\U0001f642"]
RENDER = """
import json, sys
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment
def refuse(message): raise ValueError(message)
template = json.loads(sys.argv[1])
for mark in ("{% generation %}", "{% endgeneration %}"): template = template.replace(mark, "")
environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True,
                                            extensions=[loopcontrols])
environment.globals["raise_exception"] = refuse
compiled = environment.from_string(template)
for line in open(sys.argv[2]):
    print(json.dumps(compiled.render(messages=json.loads(line), add_generation_prompt=True,
                                     bos_token="<s>", eos_token="</s>")))
"""


@pytest.fixture(scope="module")
def texts_of(kit):
    """Gives the texts of conversations, by the model in a folder."""
    folder = kit.new_folder("chats")
    names = ["chat_template", "unicode_text", "newer_letters"]
    built = run(["c++", "-std=c++20", "-O1", f"-I{ROOT}", f"-I{ROOT}/labs", "-o", folder / "chats",
                 ROOT / "apps/tests/text_of_chats.cpp",
                 *(ROOT / f"apps/speaker/{name}.cpp" for name in names), "-lutf8proc"])
    assert built.exit_code == 0, built.output

    def given(model, conversations):
        (folder / "asked").write_text("\n".join(map(json.dumps, conversations)) + "\n")
        outcome = run(["sh", "-c", '"$0" "$1" <"$2"', folder / "chats", model, folder / "asked"])
        outcome.expect(GRADED)
        return [json.loads(line) for line in outcome.output.splitlines()]
    given.asked = folder / "asked"
    return given


@pytest.fixture
def take(kit):
    """The outcome for a folder with this template, and the folder that is made of it."""
    models = kit.new_folder("models")

    def command(template, names=None, checkpoint=None):
        given = kit.new_folder("given/small")
        (checkpoint or SmallCheckpoint()).write(given)
        (given / "tokenizer_config.json").write_text(json.dumps(
            {**NAMES, **(names or {}), "chat_template": template}))
        return kit.lab("model", given), models / "small"
    return command


@pytest.mark.parametrize("name", READ)
def test_a_conversation_is_written_as_the_template_writes_it(take, texts_of, name):
    outcome, folder = take(READ[name])
    outcome.expect(GRADED, "Its chat template is read", "./lab chat --model small")
    with_system, without = TEXTS[name]
    texts = texts_of(folder, [FIRST + REST, REST])
    assert texts[1] == without
    if with_system is None:
        assert texts[0] == {"refused": "begins with a message of the role system" + END}
    else:
        assert texts[0] == with_system


def random_conversation(numbers, between):
    """Roles that the pieces allow; contents of what may be special, and white space."""
    roles = []
    while len(roles) < 9:
        before = roles[-1] if roles else "begin"
        roles.append(numbers.choice([role for role in between[before] if role != "answer"]))
    while "answer" not in between[roles[-1]]:
        roles.pop()
    return [{"role": role, "content": "x" * numbers.randrange(2) + "".join(
        numbers.choices(WORDS, k=numbers.randrange(7))) + "y"} for role in roles]


@pytest.mark.full
@pytest.mark.parametrize("name", READ)
def test_random_conversations_are_those_of_jinja(kit, take, texts_of, name):
    python = python_with(kit.build.parent.parent, "jinja2", "3.1.6")
    _, folder = take(READ[name])
    between = json.loads((folder / "chat.json").read_text())["between"]
    numbers = random.Random(name)
    conversations = [random_conversation(numbers, between) for _ in range(5000)]
    ours = texts_of(folder, conversations)
    theirs = run([python, "-c", RENDER, json.dumps(READ[name]), texts_of.asked])
    assert ours == [json.loads(line) for line in theirs.output.splitlines()]


@pytest.mark.parametrize("name", REFUSED)
def test_a_template_that_is_no_pieces_is_refused_in_a_sentence(kit, take, name):
    template, sentence = REFUSED[name]
    outcome, _ = take(template)
    outcome.expect(GRADED, "Its chat template ", sentence, "so ./lab chat refuses this model",
                   "./lab serve --model small")
    outcome.expect_no("./lab chat --model")


def test_a_conversation_is_refused_where_the_template_refuses_it(take, texts_of):
    _, folder = take(READ["mistral"])
    user, assistant = REST[0], REST[1]
    asked = [[user, user], [assistant], [{"role": "tool", "content": ""}], [user, assistant]]
    texts = texts_of(folder, asked)
    assert texts[0]["refused"] == "has a message of the role user after one of the role user" + END
    assert texts[1]["refused"] == "begins with a message of the role assistant" + END
    assert texts[2]["refused"] == "begins with a message of the role tool" + END
    assert texts[3] == "<s> [INST]  Hi  [/INST] \n{{ you }}\u2003</s>"


def test_a_message_without_text_is_refused_where_it_would_be_written_otherwise(take, texts_of):
    blank = {"role": "user", "content": " \x1f\u00a0\n"}
    _, folder = take(READ["inst"])
    assert "a message without text" in texts_of(folder, [FIRST + [blank]])[0]["refused"]


def test_an_answer_ends_with_the_token_that_the_template_puts_there(take):
    checkpoint = SmallCheckpoint()
    size = len(checkpoint.tokenizer["model"]["vocab"])
    for number, content in enumerate(["<|end|>", "<|end|>\n"]):
        checkpoint.tokenizer["added_tokens"].append(
            {**checkpoint.tokenizer["added_tokens"][0], "id": size + number, "content": content})
    checkpoint.config["vocab_size"] = size + 2
    checkpoint.shapes["model.embed_tokens.weight"][0] = size + 2
    _, folder = take(READ["chatml"], checkpoint=checkpoint)
    assert json.loads((folder / "chat.json").read_text())["ends"] == [size + 1]


def test_the_template_of_a_file_of_its_own_counts(kit, take):
    kit.new_folder("models")
    given = kit.new_folder("given/other")
    SmallCheckpoint().write(given)
    (given / "tokenizer_config.json").write_text(json.dumps(
        {"chat_template": [{"name": "tool_use", "template": ""},
                           {"name": "default", "template": READ["phi"]}]}))
    kit.lab("model", given).expect(GRADED, "Its chat template is read.")
    (given / "chat_template.jinja").write_text("{{ messages }}")
    kit.lab("model", given, "--name", "file").expect(GRADED, "so ./lab chat refuses this model")


def test_without_a_template_the_model_goes_on_with_a_text(kit):
    models = kit.new_folder("models")
    given = kit.new_folder("given/plain")
    SmallCheckpoint().write(given)
    kit.lab("model", given).expect(GRADED, "It has no chat template.", "./lab chat --model plain")
    assert not (models / "plain/chat.json").exists()


def test_the_oldest_white_space_of_python_counts(take, texts_of):
    """str.strip() takes away four letters that are no white space in Unicode."""
    spaces = [chr(code) for code in range(0x3001) if chr(code).isspace()]
    _, folder = take(READ["llama3"])
    texts = texts_of(folder, [[{"role": "user", "content": f"{space}a{space}"}]
                             for space in itertools.chain(spaces, "\u200b")])
    expected = "<s><|head|>user<|/head|>\n\na<|end|><|head|>assistant<|/head|>\n\n"
    assert set(texts[:-1]) == {expected}
    assert texts[-1] == expected.replace("a<", "\u200ba\u200b<", 1)


@pytest.mark.parametrize("name, text, sentence", [
    ("tokenizer_config.json", "{", "tokenizer_config.json is not JSON"),
    ("tokenizer_config.json", "[]", "tokenizer_config.json is not a JSON object"),
    ("special_tokens_map.json", "\x80", "special_tokens_map.json is not JSON"),
    ("tokenizer.json", '{"added_tokens": [7]}', 'has "added_tokens" that cannot be read'),
])
def test_a_file_that_cannot_be_read_is_refused(kit, name, text, sentence):
    models, given = kit.new_folder("models"), kit.new_folder("given/bad")
    SmallCheckpoint().write(given)
    (given / "tokenizer_config.json").write_text(json.dumps({"chat_template": READ["phi"]}))
    (given / name).write_bytes(text.encode("latin-1"))
    kit.lab("model", given).expect(USAGE, "lab: ", sentence)
    assert list(models.iterdir()) == []


@pytest.mark.parametrize("template, sentence", [
    (7, "Its chat template is no text"),
    ("{{ '\ud800' }}{% for m in messages %}{{ m.content }}{% endfor %}", "is read"),
    ("{{ ''.__class__.__mro__ }}{{ messages[0].content.format.__globals__ }}", "does not take the"),
])
def test_a_strange_template_breaks_nothing(take, template, sentence):
    take(template)[0].expect(GRADED, "Its chat template ", sentence)


@pytest.mark.parametrize("text, sentence", [
    ("raise ImportError", "missing: jinja2, which reads how a model wants a conversation written"),
    ("__version__ = '3.1.5'", "jinja2 3.1.5 has a sandbox with known holes, and a chat template"),
])
def test_without_a_jinja2_that_is_safe_it_is_said_what_to_get(kit, text, sentence):
    models, given = kit.new_folder("models"), kit.new_folder("given/small")
    module = kit.new_folder("modules/jinja2")
    for name, content in (("__init__", text), ("ext", ""), ("sandbox", "")):
        (module / f"{name}.py").write_text(content)
    SmallCheckpoint().write(given)
    kit.lab("model", given, env={"PYTHONPATH": str(module.parent)}).expect(USAGE, sentence)
    assert list(models.iterdir()) == []
