"""Quantized tensors of a GGUF as BF16: the numbers that the package gguf gives, rounded once more.

A block has parts. Number i of a part is scale * q[i] + least, with a small whole number q[i] from 0
on. Each form is a function from a block to its parts, after ggml's dequantize_row_...

Why tables and bytes.translate: a loop in Python over 135 million numbers takes minutes.
"""

import functools
import struct

LOW = bytes(byte & 15 for byte in range(256))
HIGH = bytes(byte >> 4 for byte in range(256))
EIGHT_BITS = [bytes(byte >> bit & 1 for bit in range(8)) for byte in range(256)]


def bf16_of(form, data):
    """The bytes of the numbers. form: one of gguf.FORMS that PARTS has."""
    parts_of, to = PARTS[form.name], 0
    out = bytearray(len(data) // form.bytes * form.numbers * 2)
    for at in range(0, len(data), form.bytes):
        for scale, least, quants, num_levels in parts_of(data[at:at + form.bytes]):
            if num_levels > len(quants):
                low, high = _rounded([scale * q + least for q in quants])
            else:
                table = _rounded([scale * q + least for q in range(num_levels)])
                low, high = (quants.translate(half.ljust(256)) for half in table)
            end = to + 2 * len(quants)
            out[to:end:2], out[to + 1:end:2] = low, high
            to = end
    return out


def _rounded(values):
    """As 32-bit floats, and these as BF16, to the nearest; of two, to the even one: the lower bytes
    of all, and the upper ones. Why one large number: it is faster than a loop."""
    bits = int.from_bytes(struct.pack(f"<{len(values)}f", *values), "little")
    ones = _ones(len(values))
    bits += 0x7fff * ones + (bits >> 16 & ones)
    data = bits.to_bytes(4 * len(values), "little")
    return data[2::4], data[3::4]


@functools.lru_cache(maxsize=None)
def _ones(count):
    """A 1 of 32 bits, so many times."""
    return int.from_bytes(b"\1\0\0\0" * count, "little")


def _bits(data, shift, width):
    """So many bits of each byte."""
    mask = int.from_bytes(bytes([(1 << width) - 1]) * len(data), "little")
    return (int.from_bytes(data, "little") >> shift & mask).to_bytes(len(data), "little")


def _joined(low, high, shift):
    """low | high << shift, byte by byte."""
    both = int.from_bytes(low, "little") | int.from_bytes(high, "little") << shift
    return both.to_bytes(len(low), "little")


def _q4_0(block):
    scale, = struct.unpack_from("<e", block)
    yield scale, -8 * scale, block[2:].translate(LOW) + block[2:].translate(HIGH), 16


def _q4_1(block):
    scale, least = struct.unpack_from("<ee", block)
    yield scale, least, block[4:].translate(LOW) + block[4:].translate(HIGH), 16


def _q5_0(block):
    scale, = struct.unpack_from("<e", block)
    yield scale, -16 * scale, _five_bits(block[2:6], block[6:]), 32


def _q5_1(block):
    scale, least = struct.unpack_from("<ee", block)
    yield scale, least, _five_bits(block[4:8], block[8:]), 32


def _five_bits(high, low):
    return _joined(low.translate(LOW) + low.translate(HIGH),
                   b"".join(EIGHT_BITS[byte] for byte in high), 4)


def _q8_0(block):
    """Whole numbers with a sign: 128 more than each has none."""
    scale, = struct.unpack_from("<e", block)
    yield scale, -128 * scale, bytes(byte ^ 128 for byte in block[2:]), 256


def _q2_k(block):
    scale, least = struct.unpack_from("<ee", block, 80)
    for part in range(16):
        both = block[part]
        quants = _bits(_sixteen(block[16:80], part), part // 2 % 4 * 2, 2)
        yield scale * (both & 15), -least * (both >> 4), quants, 4


def _q3_k(block):
    scale, = struct.unpack_from("<e", block, 108)
    low = _bits(block[96:104], 0, 4) + _bits(block[96:104], 4, 4)
    high = b"".join(_bits(block[104:108], shift, 2) for shift in (0, 2, 4, 6))
    for part, six in enumerate(_joined(low, high, 4)):
        two = _bits(_sixteen(block[32:96], part), part // 2 % 4 * 2, 2)
        third = _bits(block[part % 2 * 16:][:16], part // 2, 1)
        yield scale * (six - 32), -4 * scale * (six - 32), _joined(two, third, 2), 8


def _sixteen(quants, part):
    """The bytes that have a part's numbers: 32 bytes have eight parts, in pairs of two bits."""
    return quants[part // 8 * 32 + part % 2 * 16:][:16]


def _q4_k(block):
    for part, (scale, least) in enumerate(_scales(block)):
        yield scale, least, _bits(block[16 + part // 2 * 32:][:32], part % 2 * 4, 4), 16


def _q5_k(block):
    for part, (scale, least) in enumerate(_scales(block)):
        low = _bits(block[48 + part // 2 * 32:][:32], part % 2 * 4, 4)
        yield scale, least, _joined(low, _bits(block[16:48], part, 1), 4), 32


def _scales(block):
    """Of Q4_K and Q5_K: eight pairs, six bits for each number in twelve bytes."""
    scale, least = struct.unpack_from("<ee", block)
    first, second, third = block[4:8], block[8:12], block[12:16]
    scales = _bits(first, 0, 6) + _joined(_bits(third, 0, 4), _bits(first, 6, 2), 4)
    leasts = _bits(second, 0, 6) + _joined(_bits(third, 4, 4), _bits(second, 6, 2), 4)
    return [(scale * one, -least * other) for one, other in zip(scales, leasts)]


def _q6_k(block):
    scale, = struct.unpack_from("<e", block, 208)
    for part, eight in enumerate(struct.unpack_from("<16b", block, 192)):
        half, quarter, side = part // 8, part // 2 % 4, part % 2
        low = block[half * 64 + quarter % 2 * 32 + side * 16:][:16]
        high = block[128 + half * 32 + side * 16:][:16]
        quants = _joined(_bits(low, quarter // 2 * 4, 4), _bits(high, quarter * 2, 2), 4)
        yield scale * eight, -32 * scale * eight, quants, 64


PARTS = {"Q4_0": _q4_0, "Q4_1": _q4_1, "Q5_0": _q5_0, "Q5_1": _q5_1, "Q8_0": _q8_0, "Q2_K": _q2_k,
         "Q3_K": _q3_k, "Q4_K": _q4_k, "Q5_K": _q5_k, "Q6_K": _q6_k}
