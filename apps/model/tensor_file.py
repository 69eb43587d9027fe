"""The head of a model.safetensors: which tensors the file has, and where."""

import json
import struct
from typing import NamedTuple

from gguf import Refused


class Place(NamedTuple):
    dtype: str
    shape: list
    bytes: int
    begin: int = 0  # in the file


def head_of(places):
    """The bytes of the head of a file with these tensors, one after the other, by their names."""
    header, end = {}, 0
    for name, place in places.items():
        begin, end = end, end + place.bytes
        header[name] = {"dtype": place.dtype, "shape": place.shape, "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text


def read_places(file):
    """From each name to its Place. Throws Refused for a file that is not whole."""
    size = file.stat().st_size
    with open(file, "rb") as opened:
        length, = struct.unpack("<Q", opened.read(8).ljust(8, b"\0"))
        if size < 8 or length > size - 8:
            raise Refused(f"{file} ends within its list of tensors; is it only a part of the file?")
        text = opened.read(length)
    try:
        header = json.loads(text)
        header.pop("__metadata__", None)
        return {name: _place(file, name, entry, 8 + length, size)
                for name, entry in header.items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"{file} is no safetensors file: its list of tensors cannot be read"
                      ) from error


def _place(file, name, entry, data, size):
    begin, end = entry["data_offsets"]
    if not 0 <= begin <= end:
        raise Refused(f"{file} has {name} from {begin} to {end}, which is no place in a file")
    if data + end > size:
        raise Refused(f"{file} ends before the last number of {name}; is it only a part of the "
                      "file?")
    return Place(entry["dtype"], entry["shape"], end - begin, data + begin)
