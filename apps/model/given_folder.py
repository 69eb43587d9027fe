"""A folder of Hugging Face's layout that is given: what is made of it, without a second copy of its
weights where they are in one file."""

import json
import shutil

import shards
from gguf import Refused
from hugging_face import CLASSES

NEEDED = ("config.json", "tokenizer.json")
OTHERS = ("tokenizer_config.json", "special_tokens_map.json", "generation_config.json",
          "chat_template.jinja")
WEIGHTS = "model.safetensors"


def check(folder):
    """What can be seen without the program, which checks each entry and each tensor."""
    for name in NEEDED:
        if not (folder / name).exists():
            raise Refused(f"{folder} has no {name}; a folder with {', '.join(NEEDED)} and "
                          f"{WEIGHTS} is read")
    if not (folder / WEIGHTS).exists() and not (folder / shards.INDEX).exists():
        raise Refused(f"{folder} has no {WEIGHTS}, and no {shards.INDEX} of several files")
    try:
        kind = json.loads((folder / "config.json").read_text())["model_type"]
    except (ValueError, KeyError, TypeError) as error:
        raise Refused(f'{folder / "config.json"} is not JSON, or lacks "model_type"') from error
    if kind not in CLASSES:
        read = " or ".join(f'"{each}"' for each in CLASSES)
        raise Refused(f'{folder / "config.json"} has "model_type": {json.dumps(kind)}; only '
                      f"{read} is read there")


def copy_texts(folder, target):
    for name in (*NEEDED, *OTHERS):
        if (folder / name).exists():
            shutil.copyfile(folder / name, target / name)


def take_weights(folder, target):
    """A link to them; or, of several files, one."""
    if (folder / WEIGHTS).exists():
        (target / WEIGHTS).symlink_to((folder / WEIGHTS).resolve())
    else:
        shards.join(folder, target / WEIGHTS)
