"""The weights of a folder in which they are in several files: one model.safetensors is made."""

import json

from gguf import Refused
from tensor_file import head_of, read_places

INDEX = "model.safetensors.index.json"
PIECE = 1 << 22  # bytes that are in memory at a time


def join(folder, target):
    """Throws Refused before anything is written, for files that are not those of the index."""
    shards = _shards_of(folder / INDEX)
    places = {}
    for shard, names in shards.items():
        found = _checked_places(folder, shard, names)
        places.update({name: (folder / shard, place) for name, place in found.items()})
    with open(target, "wb") as out:
        out.write(head_of({name: place for name, (_, place) in places.items()}))
        for name, (shard, place) in places.items():
            copy(shard, name, place, out)


def _shards_of(index):
    """From the name of each file to the names of its tensors."""
    try:
        tensors = json.loads(index.read_text())["weight_map"]
        shards = {}
        for name, shard in tensors.items():
            shards.setdefault(shard, set()).add(name)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f'{index} has no "weight_map" that says the file of each tensor') from error
    if not shards:
        raise Refused(f"{index} names no file")
    for shard in shards:
        if not isinstance(shard, str) or "/" in shard or "\\" in shard or shard in ("", ".", ".."):
            raise Refused(f"{index} names the file {json.dumps(shard)}; only files beside it are "
                          "read")
    return dict(sorted(shards.items()))


def _checked_places(folder, shard, names):
    if not (folder / shard).is_file():
        raise Refused(f"{folder} has no {shard}, which {INDEX} names; fetch it, too")
    places = read_places(folder / shard)
    missing, others = sorted(names - places.keys()), sorted(places.keys() - names)
    if missing:
        raise Refused(f"{folder / shard} has no {missing[0]}, which {INDEX} expects there")
    if others:
        raise Refused(f"{folder / shard} has {others[0]}, which {INDEX} does not expect there")
    return places


def copy(shard, name, place, out):
    with open(shard, "rb") as file:
        file.seek(place.begin)
        left = place.bytes
        while left:
            piece = file.read(min(left, PIECE))
            if not piece:
                raise Refused(f"{shard} became shorter while {name} was read")
            out.write(piece)
            left -= len(piece)
