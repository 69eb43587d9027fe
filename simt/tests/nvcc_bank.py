"""One construct of CUDA in each entry: what nvcc accepts or refuses, and simt has to, too

nvcc_bank.txt has the constructs with nvcc's verdicts."""

import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TEXT = Path(__file__).with_suffix(".txt").read_text()

NVCC = ["nvcc", "-std=c++20", "-arch=sm_80", "-c", "-o", "/dev/null"]

PRELUDE = """#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>
"""


def words_after(heading, text):
    """The list after "accepted: ", which may go on in the next lines."""
    found = re.search(rf"{heading}: ((?:.+,\n)*.+)", text)
    return re.split(r",\s+", found[1]) if found else []


def statements(text):
    """(name, source, verdict) of each statement with each type."""
    types = words_after("All", text.replace("All:\n", "All: "))
    types[-1] = types[-1].rstrip(".")
    for statement, lists in re.findall(r"^(\S.*;)\n((?:  .*\n)+)", text, re.M):
        accepted, refused = words_after("accepted", lists), words_after("refused", lists)
        if refused == ["the others"]:
            refused = [kind for kind in types if kind not in accepted]
        for kind in accepted + refused:
            verdict = "accepted" if kind in accepted else "refused"
            yield (f"{re.search(r'[_a-zA-Z]+(?=[(])', statement)[0]} of {kind}",
                   f"__global__ void k$({kind}* p) {{ {statement} }}", verdict)


def constructs(text):
    form = re.compile(r"^(accepted|refused): (.+)\n((?:  .*\n)+)", re.M)
    for verdict, name, source in form.findall(text):
        yield name, re.sub(r"^  ", "", source, flags=re.M).strip(), verdict


TYPED, LANGUAGE = TEXT.split("Constructs.")
ALL = [*statements(TYPED), *constructs(LANGUAGE)]
BANK = {name: source for name, source, _ in ALL}
VERDICTS = {name: verdict for name, _, verdict in ALL}
OF_CUDA_12 = {name for name, _, _ in constructs(LANGUAGE.split("-- CUDA 12")[1].split("-- and")[0])}


def nvccs_verdict(name):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "construct.cu")
        source.write_text(PRELUDE + BANK[name].replace("$", "") + "\n")
        ended = subprocess.run([*NVCC, source], capture_output=True, check=False)
    return "refused" if ended.returncode else "accepted"


def nvccs_verdicts():
    with ThreadPoolExecutor() as pool:
        return dict(zip(BANK, pool.map(nvccs_verdict, BANK)))
