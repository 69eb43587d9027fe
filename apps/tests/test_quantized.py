"""quantized tensors of a GGUF: the numbers that the package gguf 0.19 gives, as BF16"""

import hashlib
import struct
import sys

import pytest

from kit import ROOT

sys.path.append(str(ROOT / "apps/model"))

import gguf
import quantized

# Where a block has its numbers in F16, the first three numbers of the blocks below, and the
# beginning of the SHA-256 of all: by that package's dequantize, to BF16 by numpy, with 0 for -0.
EXPECTED = {
    "Q4_0": ((0,), [0.024658203125, -0.0859375, 0.024658203125], "caee6210d52bbd0e"),
    "Q4_1": ((0, 2), [0.45703125, 0.54296875, 0.54296875], "a9296236e7f8ecbf"),
    "Q5_0": ((0,), [-0.1357421875, -0.197265625, 0.1357421875], "d32ed7a357719d62"),
    "Q5_1": ((0, 2), [0.7265625, 0.40625, 0.71484375], "759312158df5d01c"),
    "Q8_0": ((0,), [-1.09375, 1.0703125, -0.0859375], "52ff7aeefdc292a3"),
    "Q2_K": ((80, 82), [-2.4375, -2.4375, -2.296875], "8c26329d3e09706c"),
    "Q3_K": ((108,), [-0.197265625, -0.39453125, -0.39453125], "db990cb21e05c81f"),
    "Q4_K": ((0, 2), [-16.375, -16.5, -16.875], "fc61b47ca21f1faf"),
    "Q5_K": ((0, 2), [-12.625, -12.625, -18.875], "d761be4cde6b8f60"),
    "Q6_K": ((208,), [-2.03125, 1.84375, -1.4765625], "a3615d8be9107a4e"),
}


def four_blocks(form, places):
    """Of bytes that the name of the form makes."""
    size, data, count = 4 * form.bytes, b"", 0
    while len(data) < size:
        data += hashlib.sha256(f"{form.name} {count}".encode()).digest()
        count += 1
    data = bytearray(data[:size])
    for block in range(4):
        for place, number in zip(places, (0.0123 * (block + 1), 0.37)):
            struct.pack_into("<e", data, block * form.bytes + place, number)
    return bytes(data)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_numbers_are_those_of_the_package(name):
    places, first, digest = EXPECTED[name]
    form = next(form for form in gguf.FORMS.values() if form.name == name)
    data = quantized.bf16_of(form, four_blocks(form, places))
    numbers = struct.unpack(f"<{len(data) // 2}H", data)
    assert len(numbers) == 4 * form.numbers
    assert list(struct.unpack("<3f", struct.pack("<3I", *[n << 16 for n in numbers[:3]]))) == first
    data = struct.pack(f"<{len(numbers)}H", *[0 if n == 0x8000 else n for n in numbers])
    assert hashlib.sha256(data).hexdigest().startswith(digest)


def test_each_quantized_form_that_is_read_has_its_function():
    assert quantized.PARTS.keys() == EXPECTED.keys()
    assert {form.name for form in gguf.FORMS.values()} - EXPECTED.keys() == {"F32", "F16", "BF16"}
