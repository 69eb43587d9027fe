"""./lab model with a folder whose weights are in several files: they become one, or are refused"""

import json
import struct
import sys
from pathlib import Path

import pytest

from kit import GRADED, ROOT, USAGE
from small_checkpoint import SmallCheckpoint, bytes_of, numbers_of

sys.path.append(str(ROOT / "apps/model"))

import shards
import tensor_file

INDEX = "model.safetensors.index.json"
FIRST, SECOND = "model-1.safetensors", "model-2.safetensors"


def write_tensors(file, tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, shape in tensors.items():
        begin = len(data)
        data += b"".join(bytes_of(number, "BF16") for number in numbers_of(name, shape))
        header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    file.write_bytes(struct.pack("<Q", len(text)) + text + data)


class Sharded:
    """To be changed before it is written. The tensors of the index go to two files in turns."""

    def __init__(self, folder):
        self.folder, self.checkpoint = folder, SmallCheckpoint(dtype="BF16")
        names = sorted(self.checkpoint.shapes)
        self.files = {FIRST: names[::2], SECOND: names[1::2]}
        self.index = {name: file for file, names in self.files.items() for name in names}

    def write(self):
        self.checkpoint.write(self.folder)
        (self.folder / "model.safetensors").unlink()
        (self.folder / INDEX).write_text(json.dumps({"metadata": {}, "weight_map": self.index}))
        for file, names in self.files.items():
            write_tensors(self.folder / file,
                          {name: self.checkpoint.shapes.get(name, [2]) for name in names})


@pytest.fixture
def sharded(kit):
    kit.new_folder("models")
    return Sharded(kit.new_folder("sharded"))


def test_several_files_become_one(kit, sharded):
    sharded.write()
    kit.lab("model", sharded.folder).expect(GRADED, "./lab generate", "--model sharded")
    made = kit.build / "models/sharded"
    places = tensor_file.read_places(made / "model.safetensors")
    data = (made / "model.safetensors").read_bytes()
    assert {name: place.shape for name, place in places.items()} == sharded.checkpoint.shapes
    for name, place in places.items():
        expected = b"".join(bytes_of(n, "BF16") for n in numbers_of(name, place.shape))
        assert data[place.begin:place.begin + place.bytes] == expected, name


def lose_a_shard(sharded):
    (sharded.folder / SECOND).unlink()


def cut_a_shard(sharded, size=-1):
    file = sharded.folder / SECOND
    file.write_bytes(file.read_bytes()[:size])


def write_index(sharded, index):
    (sharded.folder / INDEX).write_text(index)


@pytest.mark.parametrize("change, sentence", [
    (lose_a_shard, f"has no {SECOND}, which {INDEX} names; fetch it, too"),
    (cut_a_shard, "ends before the last number of model.norm.weight; is it only a part"),
    (lambda it: cut_a_shard(it, 100), f"{SECOND} ends within its list of tensors; is it only a"),
    (lambda it: cut_a_shard(it, 4), f"{SECOND} ends within its list of tensors; is it only a"),
    (lambda it: (it.folder / SECOND).write_bytes(struct.pack("<Q", 2) + b"[]"),
     f"{SECOND} is no safetensors file: its list of tensors cannot be read"),
    (lambda it: write_index(it, '{"weight_map": {}}'), f"{INDEX} names no file"),
    (lambda it: write_index(it, '{"metadata": {}}'), f'{INDEX} has no "weight_map" that says'),
    (lambda it: write_index(it, '{"weight_map": ["a"]}'), f'{INDEX} has no "weight_map" that says'),
    (lambda it: write_index(it, '{"weight_map": {"a": ["b"]}}'), 'has no "weight_map" that says'),
    (lambda it: write_index(it, "{"), f'{INDEX} has no "weight_map" that says'),
])
def test_a_fault_of_a_file_is_one_sentence(kit, sharded, change, sentence):
    sharded.write()
    change(sharded)
    expect_refused(kit, sharded, sentence)


def expect_refused(kit, sharded, sentence):
    outcome = kit.lab("model", sharded.folder)
    outcome.expect(USAGE, sentence)
    assert outcome.output.splitlines()[-1].startswith("lab: ")
    assert list((kit.build / "models").iterdir()) == []


@pytest.mark.parametrize("name, file, sentence", [
    ("model.norm.weight", FIRST, f"{FIRST} has no model.norm.weight, which {INDEX} expects there"),
    ("lm_head.weight", FIRST, f"{FIRST} has no lm_head.weight, which {INDEX} expects there"),
    ("lm_head.weight", "../other", f'{INDEX} names the file "../other"; only files beside it'),
    ("lm_head.weight", "/etc/passwd", 'names the file "/etc/passwd"; only files beside it'),
    ("lm_head.weight", "..", 'names the file ".."; only files beside it are read'),
    ("lm_head.weight", 7, "names the file 7; only files beside it are read"),
])
def test_an_index_that_does_not_fit_is_refused(kit, sharded, name, file, sentence):
    sharded.index[name] = file
    sharded.write()
    expect_refused(kit, sharded, sentence)


def test_a_tensor_too_many_is_refused(kit, sharded):
    sharded.files[FIRST].append("extra.weight")
    sharded.write()
    expect_refused(kit, sharded, f"{FIRST} has extra.weight, which {INDEX} does not expect there")


@pytest.mark.parametrize("offsets", [[8, 4], [-4, 4], [0], "no", [0, 2**70]])
def test_a_place_that_is_none_is_refused(kit, sharded, offsets):
    sharded.write()
    header = {"model.norm.weight": {"dtype": "BF16", "shape": [2], "data_offsets": offsets}}
    text = json.dumps(header).encode()
    (sharded.folder / SECOND).write_bytes(struct.pack("<Q", len(text)) + text + bytes(8))
    expect_refused(kit, sharded, SECOND)


def test_offsets_beyond_4_gb_are_right(tmp_path):
    """A file with a hole: on the disk it has some bytes."""
    size, word = 5 << 30, b"the end!"
    sizes = {"hole": size, "word": len(word)}
    head = tensor_file.head_of({name: tensor_file.Place("U8", [bytes], bytes)
                                for name, bytes in sizes.items()})
    file = Path(tmp_path, "large")
    with open(file, "wb") as out:
        out.write(head)
        out.seek(size, 1)
        out.write(word)
    found = tensor_file.read_places(file)["word"]
    assert found.begin == len(head) + size and found.bytes == 8
    with open(tmp_path / "small", "wb+") as out:
        shards.copy(file, "word", found, out)
        out.seek(0)
        assert out.read() == word
