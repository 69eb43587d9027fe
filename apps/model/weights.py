"""The numbers of a GGUF as model.safetensors has them: F32, F16 and BF16 as they are, the others
rounded to BF16, of which a program reads each number by itself."""

import math

import quantized
from tensor_file import Place, head_of

DTYPES = {"F32": ("F32", 4), "F16": ("F16", 2)}  # the type and the bytes of a number
BF16 = ("BF16", 2)


def dtype_of(stored):
    return DTYPES.get(stored.form.name, BF16)


def converted(stored, num_heads=None):
    """The bytes of a tensor; with num_heads, its rows in the order of Hugging Face."""
    data = bytes(stored.data)
    if num_heads:
        data = _halves_apart(data, stored, num_heads)
    return quantized.bf16_of(stored.form, data) if stored.form.name in quantized.PARTS else data


def write_safetensors(path, tensors):
    """tensors: from each name to its GGUF tensor and the heads, or None, for converted()."""
    places = {name: _place_of(stored) for name, (stored, _) in tensors.items()}
    with open(path, "wb") as file:
        file.write(head_of(places))
        for stored, num_heads in tensors.values():
            file.write(converted(stored, num_heads))


def _place_of(stored):
    dtype, size = dtype_of(stored)
    return Place(dtype, stored.shape, math.prod(stored.shape) * size)


def _halves_apart(data, stored, num_heads):
    """llama.cpp turns the rows 2i and 2i + 1 of a head together, Hugging Face i and i + half."""
    size, rows = stored.row_bytes, stored.shape[0]
    head_dim = rows // num_heads
    order = [head + 2 * i + side for head in range(0, rows, head_dim) for side in (0, 1)
             for i in range(head_dim // 2)]
    return b"".join(data[row * size:(row + 1) * size] for row in order)
