"""A GGUF file: what it says of the model, and where its tensors are.

The format is that of ggml's docs/gguf.md, versions 2 and 3. Why not the package gguf: it needs
numpy, which has another wheel for each Python.
"""

import math
import struct
from typing import NamedTuple

STRING, LIST = 8, 9
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q",
           12: "d"}


class Refused(Exception):
    """One sentence: what this model has, and what is read instead."""


class Form(NamedTuple):
    """How a tensor's numbers are stored: in blocks, one after the other."""
    name: str
    numbers: int  # in a block
    bytes: int


# Those that weights.py reads.
FORMS = {0: Form("F32", 1, 4), 1: Form("F16", 1, 2), 30: Form("BF16", 1, 2),
         2: Form("Q4_0", 32, 18), 3: Form("Q4_1", 32, 20), 6: Form("Q5_0", 32, 22),
         7: Form("Q5_1", 32, 24), 8: Form("Q8_0", 32, 34), 10: Form("Q2_K", 256, 84),
         11: Form("Q3_K", 256, 110), 12: Form("Q4_K", 256, 144), 13: Form("Q5_K", 256, 176),
         14: Form("Q6_K", 256, 210)}
OTHER_FORMS = {9: "Q8_1", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S",
               20: "IQ4_NL", 21: "IQ3_S", 22: "IQ2_S", 23: "IQ4_XS", 29: "IQ1_M", 34: "TQ1_0",
               35: "TQ2_0", 39: "MXFP4"}


class Stored(NamedTuple):
    """A tensor. Its shape is that of Hugging Face: the numbers of a row come last."""
    form: Form
    shape: tuple
    data: memoryview

    @property
    def row_bytes(self):
        return self.shape[-1] // self.form.numbers * self.form.bytes


class Gguf(NamedTuple):
    entries: dict  # from "llama.block_count" to its value; texts are bytes
    tensors: dict


def read(data):
    """data: the bytes of a file, or a map of it."""
    reader = _Reader(memoryview(data))
    if reader.data[:4] != b"GGUF":
        raise Refused("is no GGUF file: it does not begin with these four letters")
    reader.take(4)
    version = reader.number("I")
    if version not in (2, 3):
        raise Refused(f"has version {version} of GGUF; 2 and 3 are read")
    num_tensors, num_entries = reader.number("Q"), reader.number("Q")
    entries = {}
    for _ in range(num_entries):
        name = reader.text()
        entries[name] = reader.value(reader.number("I"))
    places = [reader.place() for _ in range(num_tensors)]
    alignment = entries.get("general.alignment", 32)
    if not isinstance(alignment, int) or alignment < 1:
        raise Refused(f'has "general.alignment": {alignment!r}; a number from 1 on is needed')
    begin = -(-reader.at // alignment) * alignment
    return Gguf(entries, {name: _stored(reader.data, begin, name, *place)
                          for name, *place in places})


def _stored(data, begin, name, shape, kind, offset):
    if kind not in FORMS:
        raise Refused(f"has {name} in the form {OTHER_FORMS.get(kind, f'number {kind}')}; "
                      + ", ".join(form.name for form in FORMS.values()) + " are read")
    form = FORMS[kind]
    if not shape or shape[-1] % form.numbers:
        raise Refused(f"has rows of {name} that are no whole blocks of {form.name}")
    size = math.prod(shape) // form.numbers * form.bytes
    if begin + offset + size > len(data):
        raise Refused(f"ends before the last number of {name}; is it only a part of the file?")
    return Stored(form, shape, data[begin + offset:begin + offset + size])


class _Reader:
    """What comes next, from the beginning of the file on."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, size):
        if size > len(self.data) - self.at:
            raise Refused("ends within its list of entries; is it only a part of the file?")
        self.at += size
        return bytes(self.data[self.at - size:self.at])

    def number(self, letter):
        form = "<" + letter
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def string(self):
        return self.take(self.number("Q"))

    def text(self):
        return self.string().decode(errors="replace")

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind in NUMBERS:
            return self.number(NUMBERS[kind])
        item = self.number("I") if kind == LIST else None
        if item != STRING and item not in NUMBERS:
            raise Refused(f"has an entry of the unknown kind {kind}")
        length = self.number("Q")
        if item == STRING:
            return [self.string() for _ in range(length)]
        letter = NUMBERS[item]
        size = struct.calcsize("<" + letter)
        return list(struct.unpack(f"<{length}{letter}", self.take(size * length)))

    def place(self):
        """The name, shape, form and offset of a tensor."""
        name = self.text()
        sizes = [self.number("Q") for _ in range(min(self.number("I"), 9))]
        return name, tuple(reversed(sizes)), self.number("I"), self.number("Q")
