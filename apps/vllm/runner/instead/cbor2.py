"""The bytes of RFC 8949 for the values that vLLM hashes."""

import struct

UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP = range(6)
SIMPLE = {False: b"\xf4", True: b"\xf5", None: b"\xf6"}


def dumps(value, canonical=True):
    if value is None or isinstance(value, bool):
        return SIMPLE[value]
    if isinstance(value, int):
        return _head(UNSIGNED, value) if value >= 0 else _head(NEGATIVE, -1 - value)
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    if isinstance(value, (bytes, bytearray)):
        return _head(BYTES, len(value)) + bytes(value)
    if isinstance(value, str):
        return _head(TEXT, len(value.encode())) + value.encode()
    if isinstance(value, (list, tuple)):
        return _head(ARRAY, len(value)) + b"".join(map(dumps, value))
    if isinstance(value, dict):
        pairs = sorted((dumps(key), dumps(item)) for key, item in value.items())
        return _head(MAP, len(pairs)) + b"".join(key + item for key, item in pairs)
    raise TypeError(f"cannot serialize {type(value).__name__}")


def _head(kind, number):
    if number < 24:
        return bytes([kind << 5 | number])
    power = next(power for power in range(4) if number < 1 << (8 << power))
    return bytes([kind << 5 | 24 + power]) + number.to_bytes(1 << power, "big")
