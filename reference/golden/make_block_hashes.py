#!/usr/bin/env python3
"""Writes the numbers of block_hashes.h: block hashes computed without any code of this kit.

    pip install xxhash        (numpy too, to check against nano-vLLM's way of making the bytes)
    python3 reference/golden/make_block_hashes.py

With numpy it also checks that without extra keys the bytes are nano-vLLM's: an 8-byte little-endian
prefix if there is one, then the token ids as numpy stores a list of Python integers.
"""

import datetime
import pathlib
import re
import struct

import xxhash

try:
    import numpy
except ImportError:
    numpy = None

BLOCK_SIZES = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 64, 128, 255, 256]
PARENTS = [None, 0, 1, 2**64 - 1]  # the chains have others
EXTRA_KEYS = [
    [],
    [b"lora=sql"],
    [b"", b"image=0123456789abcdef0123456789abcd@-12", b"salt=\xc3\xa9"],
]
CHAIN_BLOCK_SIZES = [1, 2, 4, 16]  # one request each
CHAIN_BLOCKS = 8

VOCABULARY = 151_936
EXTREMES = [-(2**31), -1, 0, 2**31 - 1]


def draw_tokens(seed, kind, count):
    """As in the header. kind 0: ids of a vocabulary, 1: any int32, 2: extremes."""
    tokens, state = [], seed
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        high = state >> 32
        signed = high - 2**32 if high >= 2**31 else high
        tokens.append([high % VOCABULARY, signed, EXTREMES[high >> 30]][kind])
    return tokens


def block_hash(parent, tokens, extra_keys):
    """The contract of hash_block_tokens, each word of 8 bytes."""
    data = b"" if parent is None else struct.pack("<Q", parent)
    data += struct.pack(f"<{len(tokens)}q", *tokens)
    for key in extra_keys:
        data += struct.pack("<Q", xxhash.xxh64_intdigest(key, seed=0))
    digest = xxhash.xxh64_intdigest(data, seed=0)
    if not extra_keys and numpy is not None:
        assert digest == nano_vllm_hash(parent, tokens)
    return digest


def nano_vllm_hash(parent, tokens):
    hasher = xxhash.xxh64()
    if parent is not None:
        hasher.update(parent.to_bytes(8, "little"))
    hasher.update(numpy.array(tokens).tobytes())  # int64, except on Windows before numpy 2
    nano_vllm_hash.calls += 1
    return hasher.intdigest()


nano_vllm_hash.calls = 0


def single_digests():
    digests = []
    for block_size in BLOCK_SIZES:
        for parent in PARENTS:
            for extra_keys in EXTRA_KEYS:
                number = len(digests)
                tokens = draw_tokens(number, number // 3 % 3, block_size)
                digests.append(block_hash(parent, tokens, extra_keys))
    return digests


def chain_digests():
    digests = []
    for seed, block_size in enumerate(CHAIN_BLOCK_SIZES):
        tokens, parent = draw_tokens(seed, 0, block_size * CHAIN_BLOCKS), None
        for start in range(0, len(tokens), block_size):
            parent = block_hash(parent, tokens[start : start + block_size], [])
            digests.append(parent)
    return digests


def replace_array(text, name, digests):
    words = [f"0x{digest:016x}" for digest in digests]
    lines = [", ".join(words[i : i + 4]) for i in range(0, len(words), 4)]
    body = f"std::array<std::uint64_t, {len(words)}> {name} = {{\n    " + ",\n    ".join(lines)
    return re.sub(rf"std::array<std::uint64_t, \d+> {name} = {{[^}}]*", body, text)


def main():
    singles, chains = single_digests(), chain_digests()
    header = pathlib.Path(__file__).with_name("block_hashes.h")
    text = replace_array(header.read_text(), "kBlockHashes", singles)
    text = replace_array(text, "kChainHashes", chains)
    source = f"// Python package xxhash {xxhash.VERSION}, {datetime.date.today()}."
    header.write_text(re.sub(r"// Python package xxhash .*", source, text))
    how = f"{nano_vllm_hash.calls} also by numpy" if numpy else "no numpy here: struct only"
    print(f"{len(singles)} blocks, {len(chains)} chained blocks; {how}")


if __name__ == "__main__":
    main()
