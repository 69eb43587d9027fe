"""./lab serve --static: the engine in the page has the texts and the bits of the native one"""

import json
import os
import re
from pathlib import Path

import pytest

from broken_stack import FAULTS, broken_stack
from kit import GRADED, ROOT, USAGE, copy_lab, lab_of, run
from static_page import static_page

BUILDS_FOR_OTHERS = True  # all labs, natively and for browsers

DRIVER = ROOT / "apps/tests/live_engine.js"
PROMPTS = ["It is a truth universally acknowledged, that", "Emma was", "Emma was",
           "Mr. Darcy – naïve? – said 12"]

# Each with another pool, block size, rules and seed; some pools are too small for all at once.
POOLS = [(64, 16), (9, 16), (130, 1), (33, 4), (5, 32)]
SETTINGS = [(*pool, rules, seed) for seed, pool in enumerate(POOLS)
            for rules in ["vllm_0_22", "vllm_0_33"]]


@pytest.fixture(scope="module")
def engine(kit):
    """engine.js of the solution."""
    return static_page(kit, "solution", "static page") / "engine.js"


def answers_of(engine, *calls):
    """What the engine says to calls, one after the other."""
    outcome = run(["node", DRIVER, engine], stdin=json.dumps(calls), timeout=300)
    outcome.expect(0)
    return json.loads(outcome.output.splitlines()[-1])


def pool_call(blocks, block_size, rules):
    return ["/pool", {"blocks": blocks, "block_size": block_size, "rules": rules}]


def completion(seed, temperature):
    return {"prompt": PROMPTS, "max_tokens": 60, "seed": seed, "temperature": temperature}


@pytest.mark.full
@pytest.mark.parametrize("blocks, block_size, rules, seed", SETTINGS)
def test_the_bits_of_the_logits_are_those_of_generate(kit, engine, blocks, block_size, rules, seed):
    prompts = kit.new_folder("prompts") / "prompts.txt"
    prompts.write_text("".join(f"{prompt}\n" for prompt in PROMPTS))
    native = kit.lab("generate", "--tree", "solution", "--prompts", prompts, "--max-tokens", "60",
                     "--temperature", "0", "--blocks", str(blocks), "--block-size", str(block_size),
                     "--rules", rules, "--seed", str(seed))
    native.expect(GRADED)
    said = answers_of(engine, pool_call(blocks, block_size, rules),
                      ["/v1/completions", completion(seed, 0)])
    assert re.findall("logits (.*)", native.output)[-1] == said["logits"]
    for number, answer in enumerate(said["texts"].values(), 1):
        assert f"[{number}] {answer['prompt']}{answer['output']}\n" in native.output


@pytest.mark.full
@pytest.mark.parametrize("blocks, block_size, rules, seed", SETTINGS)
def test_drawn_texts_are_those_of_the_server(another_server, engine, blocks, block_size, rules,
                                             seed):
    server = another_server("--blocks", str(blocks), "--block-size", str(block_size),
                            "--rules", rules)
    served = server.post(completion(seed, 0.9)).json["choices"]
    said = answers_of(engine, pool_call(blocks, block_size, rules),
                      ["/v1/completions", completion(seed, 0.9)])
    assert [answer["output"] for answer in said["texts"].values()] == [
        choice["text"] for choice in served]


@pytest.mark.full
@pytest.mark.parametrize("fault", FAULTS)
def test_a_tree_that_breaks_says_what_the_server_says(kit, engine, fault):
    tree = broken_stack(kit)
    file = tree / "07-serving/scheduler.cpp"
    file.write_text(file.read_text().replace('std::getenv("FAULT")', f'"{fault}"'))
    broken = static_page(kit, tree, f"broken by {fault}") / "engine.js"
    said = answers_of(broken, ["/v1/completions", {"prompt": "It is", "max_tokens": 100}])
    assert said["failure"] == FAULTS[fault]


@pytest.mark.full
@pytest.mark.parametrize("call, sentence", [
    (["/v1/completions", {"prompt": "a", "max_tokens": 0}], "max_tokens has to be a whole number"),
    (["/pool", {"blocks": 0}], "blocks has to be a whole number"),
    (["/step", {}], "the engine is not paused"),
    (["/health", {}], "there is no POST /health"),
])
def test_a_wrong_call_is_told_what_is_wrong(engine, call, sentence):
    assert sentence in answers_of(engine, call)["error"]


@pytest.mark.full
def test_a_page_says_whose_labs_compute(kit, engine):
    tree = kit.new_folder("half done")
    copy_lab(lab_of("01"), tree, "solution")
    copy_lab(lab_of("07"), tree, "solution")
    page = (static_page(kit, tree, "half done page") / "index.html").read_text()
    assert ": labs 01 and 07 of " in page
    assert "and labs 02, 03, 04 and 05 of the kit, manage its memory, in this browser." in page


def test_without_a_compiler_for_browsers_a_sentence_names_it(kit):
    folder = kit.new_folder("programs")
    for directory in os.environ["PATH"].split(":"):
        for program in Path(directory).glob("*"):
            link = folder / program.name
            if program.name != "em++" and not link.is_symlink():
                link.symlink_to(program)
    refused = kit.lab("serve", "--tree", "solution", "--static", kit.new_folder("none"),
                      env={"PATH": str(folder)})
    refused.expect(USAGE)
    assert "apt-get install emscripten" in refused.output


def test_an_old_compiler_for_browsers_is_refused(kit):
    folder = kit.new_folder("old compiler")
    compiler = folder / "em++"
    compiler.write_text("#!/bin/sh\necho 'emcc (Emscripten gcc/clang-like replacement) 3.1.6 ()'\n")
    compiler.chmod(0o755)
    refused = kit.lab("serve", "--tree", "solution", "--static", kit.new_folder("none"),
                      env={"PATH": f"{folder}:{os.environ['PATH']}"})
    refused.expect(USAGE)
    assert "em++ is older than 3.1.50" in refused.output
