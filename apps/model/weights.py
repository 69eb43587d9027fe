"""The numbers of a GGUF as model.safetensors has them: F32, F16 and BF16 as they are, the others
rounded to BF16, of which a program reads each number by itself.

Why tables and bytes.translate: a loop in Python over 135 million numbers takes minutes.
"""

import json
import struct

DTYPES = {"F32": ("F32", 4), "F16": ("F16", 2)}  # the type and the bytes of a number
BF16 = ("BF16", 2)

LOW = bytes(byte & 15 for byte in range(256))
HIGH = bytes(byte >> 4 for byte in range(256))

# Times this, and the difference taken away: a number of 53 bits keeps the upper 8, rounded.
SPLIT = 2.0 ** 45 + 1


def dtype_of(stored):
    return DTYPES.get(stored.form.name, BF16)


def converted(stored, num_heads=None):
    """The bytes of a tensor; with num_heads, its rows in the order of Hugging Face."""
    data = bytes(stored.data)
    if num_heads:
        data = _halves_apart(data, stored, num_heads)
    return {"Q4_0": _of_q4_0, "Q4_1": _of_q4_1, "Q8_0": _of_q8_0}.get(stored.form.name,
                                                                     lambda same: same)(data)


def write_safetensors(path, tensors):
    """tensors: from each name to its GGUF tensor and the heads, or None, for converted()."""
    header, end = {}, 0
    for name, (stored, _) in tensors.items():
        begin, (dtype, size) = end, dtype_of(stored)
        end += len(stored.data) // stored.form.bytes * stored.form.numbers * size
        header[name] = {"dtype": dtype, "shape": stored.shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for stored, num_heads in tensors.values():
            file.write(converted(stored, num_heads))


def _halves_apart(data, stored, num_heads):
    """llama.cpp turns the rows 2i and 2i + 1 of a head together, Hugging Face i and i + half."""
    size, rows = stored.row_bytes, stored.shape[0]
    head_dim = rows // num_heads
    order = [head + 2 * i + side for head in range(0, rows, head_dim) for side in (0, 1)
             for i in range(head_dim // 2)]
    return b"".join(data[row * size:(row + 1) * size] for row in order)


def _rounded(values):
    """As many 32-bit floats in bytes, of which the lower two bytes are 0."""
    return struct.pack(f"<{len(values)}f", *[(v * SPLIT) - (v * SPLIT - v) for v in values])


def _of_q4_1(data):
    """A block: d and m in F16, then 16 bytes; number i is d * the lower half of byte i + m, and
    number i + 16 that of the upper half."""
    return _of_halves(data, 20, lambda at: struct.unpack_from("<ee", data, at))


def _of_q4_0(data):
    """The same with m = -8 d."""
    def scale_at(at):
        scale, = struct.unpack_from("<e", data, at)
        return scale, -8 * scale
    return _of_halves(data, 18, scale_at)


def _of_halves(data, block, scale_at):
    low, high = data.translate(LOW), data.translate(HIGH)
    out = bytearray(len(data) // block * 64)
    to = 0
    for end in range(block, len(data) + 1, block):
        d, m = scale_at(end - block)
        table = _rounded([d * q + m for q in range(16)])
        quants = low[end - 16:end] + high[end - 16:end]
        out[to:to + 64:2] = quants.translate(table[2::4] * 16)
        out[to + 1:to + 64:2] = quants.translate(table[3::4] * 16)
        to += 64
    return out


def _of_q8_0(data):
    """A block: d in F16, then 32 numbers of 8 bits."""
    out = bytearray(len(data) // 34 * 64)
    to = 0
    for d, *quants in struct.iter_unpack("<e32b", data):
        bits = _rounded([d * q for q in quants])
        out[to:to + 64:2] = bits[2::4]
        out[to + 1:to + 64:2] = bits[3::4]
        to += 64
    return out
