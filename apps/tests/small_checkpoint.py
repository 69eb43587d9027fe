"""Checkpoints in Hugging Face's layout, for ./lab generate --model: a Llama with two layers and a
token for each byte."""

import json
import math
import struct
import zlib
from dataclasses import dataclass, field

VOCAB, HIDDEN, INNER, QUERIES, KEYS = 257, 16, 24, 16, 8


def llama_config():
    return {
        "model_type": "llama", "vocab_size": VOCAB, "hidden_size": HIDDEN,
        "intermediate_size": INNER, "num_hidden_layers": 2, "num_attention_heads": 2,
        "num_key_value_heads": 1, "head_dim": KEYS, "rms_norm_eps": 1e-5,
        "max_position_embeddings": 64, "tie_word_embeddings": True, "bos_token_id": 0}


def small_tokenizer():
    """Text begins with token 0. (What the library tokenizers writes, and reads.)"""
    name = "<|endoftext|>"
    before, text = {"SpecialToken": {"id": name, "type_id": 0}}, {"Sequence": {
        "id": "A", "type_id": 0}}
    return {
        "added_tokens": [{"id": 0, "content": name, "single_word": False, "lstrip": False,
                          "rstrip": False, "normalized": False, "special": True}],
        "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
                          "use_regex": True},
        "post_processor": {
            "type": "TemplateProcessing", "single": [before, text], "pair": [before, text],
            "special_tokens": {name: {"id": name, "ids": [0], "tokens": [name]}}},
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
                    "use_regex": True},
        "model": {"type": "BPE", "vocab": byte_vocabulary(), "merges": []}}


def llama_shapes():
    layer = {
        "input_layernorm": [HIDDEN], "post_attention_layernorm": [HIDDEN],
        "self_attn.q_proj": [QUERIES, HIDDEN], "self_attn.k_proj": [KEYS, HIDDEN],
        "self_attn.v_proj": [KEYS, HIDDEN], "self_attn.o_proj": [HIDDEN, QUERIES],
        "mlp.gate_proj": [INNER, HIDDEN], "mlp.up_proj": [INNER, HIDDEN],
        "mlp.down_proj": [HIDDEN, INNER]}
    shapes = {f"model.layers.{number}.{name}.weight": shape
              for number in (0, 1) for name, shape in layer.items()}
    return {"model.embed_tokens.weight": [VOCAB, HIDDEN], "model.norm.weight": [HIDDEN], **shapes}


@dataclass
class SmallCheckpoint:
    """To be changed before it is written. The numbers of a tensor come from its name."""
    config: dict = field(default_factory=llama_config)
    shapes: dict = field(default_factory=llama_shapes)
    tokenizer: dict = field(default_factory=small_tokenizer)
    dtype: str = "F32"  # F32, F16, BF16, or another name, with numbers of 32 bits

    def write(self, folder):
        (folder / "config.json").write_text(json.dumps(self.config))
        (folder / "tokenizer.json").write_text(json.dumps(self.tokenizer))
        (folder / "model.safetensors").write_bytes(self._safetensors())

    def _safetensors(self):
        header, data = {}, b""
        for name, shape in sorted(self.shapes.items()):
            begin = len(data)
            data += b"".join(bytes_of(number, self.dtype) for number in numbers_of(name, shape))
            header[name] = {"dtype": self.dtype, "shape": shape, "data_offsets": [begin, len(data)]}
        text = json.dumps(header).encode()
        return struct.pack("<Q", len(text)) + text + data


def numbers_of(name, shape):
    """Eighths from -1 to 1 for a matrix, about 1 for a vector: F16 and BF16 have them, too. The
    output matrix is the embedding, as in a model that has one matrix for both."""
    salt = zlib.crc32(name.replace("lm_head", "model.embed_tokens").encode())
    eighths = [(i * i * 7 + i * 37 + salt) % 17 - 8 for i in range(math.prod(shape))]
    return [1 + n / 16 if len(shape) == 1 else n / 8 for n in eighths]


def bytes_of(number, dtype):
    if dtype == "F16":
        return struct.pack("<e", number)
    bits = struct.pack("<f", number)
    return bits[2:] if dtype == "BF16" else bits  # BF16 is the upper half


def byte_vocabulary():
    """A letter of a tokenizer.json for each byte (apps/speaker/byte_level_bpe.cpp)."""
    has_picture = [33 <= byte <= 126 or (byte >= 161 and byte != 173) for byte in range(256)]
    without = [byte for byte in range(256) if not has_picture[byte]]
    letters = [byte if has_picture[byte] else 256 + without.index(byte) for byte in range(256)]
    return {"<|endoftext|>": 0, **{chr(letter): byte + 1 for byte, letter in enumerate(letters)}}
