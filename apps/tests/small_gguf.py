"""A GGUF that is as small as the checkpoint of small_checkpoint.py, for tests of ./lab model that
need no network."""

import struct
from dataclasses import dataclass, field

from small_checkpoint import INNER, KEYS, QUERIES, VOCAB, byte_vocabulary, numbers_of

HIDDEN = 32  # whole blocks of 32 numbers
NAMES = {"attn_norm": [HIDDEN], "ffn_norm": [HIDDEN], "attn_q": [QUERIES, HIDDEN],
         "attn_k": [KEYS, HIDDEN], "attn_v": [KEYS, HIDDEN], "attn_output": [HIDDEN, QUERIES],
         "ffn_gate": [INNER, HIDDEN], "ffn_up": [INNER, HIDDEN], "ffn_down": [HIDDEN, INNER]}
FORMS = {"F32": 0, "F16": 1, "Q4_0": 2, "Q4_1": 3, "Q8_0": 8, "Q4_K": 12, "IQ4_NL": 20, "BF16": 30}
SCALE, LEAST = 0.25, -1.5


def gguf_entries():
    return {
        "general.architecture": "llama", "general.name": "Small", "llama.block_count": 2,
        "llama.embedding_length": HIDDEN, "llama.feed_forward_length": INNER,
        "llama.attention.head_count": 2, "llama.attention.head_count_kv": 1,
        "llama.attention.key_length": KEYS, "llama.context_length": 64,
        "llama.attention.layer_norm_rms_epsilon": 1e-5, "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "smollm", "tokenizer.ggml.tokens": list(byte_vocabulary()),
        "tokenizer.ggml.token_type": [3] + [1] * (VOCAB - 1),
        "tokenizer.ggml.merges": ["a b"], "tokenizer.ggml.bos_token_id": 0,
        "tokenizer.ggml.eos_token_id": 0}


def gguf_shapes():
    layers = {f"blk.{number}.{name}.weight": shape
              for number in (0, 1) for name, shape in NAMES.items()}
    return {"token_embd.weight": [VOCAB, HIDDEN], "output_norm.weight": [HIDDEN], **layers}


@dataclass
class SmallGguf:
    """To be changed before it is written. form: that of rows of 32 numbers; the others are F32."""
    form: str = "F32"
    entries: dict = field(default_factory=gguf_entries)
    shapes: dict = field(default_factory=gguf_shapes)

    def __post_init__(self):
        self.entries["tokenizer.ggml.tokens"].append("ab")
        self.entries["tokenizer.ggml.token_type"].append(1)
        self.shapes["token_embd.weight"] = [VOCAB + 1, HIDDEN]

    def form_of(self, shape):
        return self.form if len(shape) == 2 and shape[1] == HIDDEN else "F32"

    def as_bytes(self):
        head = b"GGUF" + struct.pack("<IQQ", 3, len(self.shapes), len(self.entries))
        for name, value in self.entries.items():
            head += string(name) + typed(value)
        data = b""
        for name, shape in self.shapes.items():
            form = self.form_of(shape)
            head += string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape[::-1],
                                               FORMS[form], len(data))
            data += stored(numbers_of(name, shape), form)
            data += bytes(-len(data) % 32)
        return head + bytes(-len(head) % 32) + data


def small_qwen3():
    """The same numbers as a Qwen 3: norms of the heads, and its name before its entries."""
    gguf = SmallGguf()
    gguf.entries = {name.replace("llama.", "qwen3."): value
                    for name, value in gguf.entries.items()} | {"general.architecture": "qwen3"}
    gguf.shapes |= {f"blk.{number}.attn_{side}_norm.weight": [KEYS]
                    for number in (0, 1) for side in "qk"}
    return gguf


def string(text):
    return struct.pack("<Q", len(text.encode())) + text.encode()


def typed(value):
    """With the number of its kind before it."""
    if isinstance(value, list):
        kind = {str: 8, float: 6}.get(type(value[0]), 4)
        items = [string(item) if kind == 8 else struct.pack("<f" if kind == 6 else "<I", item)
                 for item in value]
        return struct.pack("<IIQ", 9, kind, len(value)) + b"".join(items)
    if isinstance(value, str):
        return struct.pack("<I", 8) + string(value)
    if isinstance(value, bool):
        return struct.pack("<I?", 7, value)
    return struct.pack("<If" if isinstance(value, float) else "<II",
                       6 if isinstance(value, float) else 4, value)


def stored(numbers, form):
    """The bytes; of a quantized form, those of quants() with SCALE and LEAST."""
    letters = {"F32": "f", "F16": "e"}
    if form in letters:
        return struct.pack(f"<{len(numbers)}{letters[form]}", *numbers)
    if form == "BF16":
        return b"".join(struct.pack("<f", number)[2:] for number in numbers)
    blocks = [quants(numbers[i:i + 32], form) for i in range(0, len(numbers), 32)]
    if form == "Q8_0":
        return b"".join(struct.pack("<e32b", SCALE, *block) for block in blocks)
    scales = struct.pack("<e", SCALE) + (struct.pack("<e", LEAST) if form == "Q4_1" else b"")
    return b"".join(scales + bytes(low | high << 4 for low, high in zip(block[:16], block[16:]))
                    for block in blocks)


def quants(numbers, form):
    """A whole number for each: of 8 bits, or of 4 without a sign."""
    return [round(number * 8) if form == "Q8_0" else round(number * 8) + 8 & 15
            for number in numbers]


def values(numbers, form):
    """What the numbers are when they are read again."""
    least = {"Q8_0": 0, "Q4_0": -8 * SCALE, "Q4_1": LEAST}
    if form not in least:
        return numbers
    return [SCALE * quant + least[form] for quant in quants(numbers, form)]
