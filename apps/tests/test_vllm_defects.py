"""./lab vllm: which of vLLM's tests, and which step of its scheduler, finds a planted defect"""

import re
from typing import NamedTuple

import pytest

import vllm_folder
from kit import GRADED, NOT_FULL, copy_labs, replace_in

pytestmark = pytest.mark.full

MANAGER = "04-kv-cache-manager/kv_cache_manager.cpp"
POOL = "02-block-pool/block_pool.cpp"
CACHE = "03-block-hashing/prefix_cache.cpp"


class Defect(NamedTuple):
    file: str
    old: str
    new: str
    fails: tuple = ()  # functions
    crashes: tuple = ()


DEFECTS = {
    "blocks are freed from the first to the last": Defect(
        MANAGER, "std::vector(blocks.rbegin(), blocks.rend())",
        "std::vector(blocks.begin(), blocks.end())",
        ("test_prefill", "test_prefill_plp", "test_evict")),
    "touch leaves a free block in the queue": Defect(
        POOL, "    if (block->ref_cnt == 0) free_block_queue_.remove(*block);\n", "",
        ("test_prefill", "test_evict", "test_computed_blocks_not_evicted")),
    "a new block keeps its hash": Defect(
        POOL, "    if (block->block_hash) maybe_evict_cached_block(*block);\n", "",
        ("test_block_removed_event_group_idx", "test_prefill", "test_hash_block_correct_reuse",
         "test_computed_blocks_not_evicted", "test_kv_cache_events",
         "test_kv_cache_events_with_lora")),
    "no event says that a block is removed": Defect(
        CACHE, "emplace_back(BlockRemoved{*block.block_hash})", "size()",
        ("test_block_removed_event_group_idx", "test_kv_cache_events")),
    "hits that are free are not counted": Defect(
        MANAGER, " + static_cast<std::size_t>(num_free_hits);",
        " + 0 * static_cast<std::size_t>(num_free_hits);",
        (), ("test_prefill_not_enough_free_blocks_with_computed_blocks",)),
    "the last token is not held back": Defect(
        MANAGER, "find_longest_cache_hit(request, request.token_ids.size() - 1)",
        "find_longest_cache_hit(request, request.token_ids.size())"),
}
SEEN_BY_SCHEDULER = ("blocks are freed from the first to the last",
                     "the last token is not held back")


@pytest.fixture
def vllm(kit):
    """The command, on a solution with a defect."""
    vllm_folder.provide(kit, "0.22.1")

    def command(defect, *words):
        tree = kit.new_folder("tree")
        copy_labs(tree, "solution")
        replace_in(tree / defect.file, defect.old, defect.new)
        return kit.lab("vllm", "--tree", tree, *words)
    return command


def functions(outcome, word):
    return sorted(re.findall(rf"^  {word} +(\w+)", outcome.output, re.M))


@pytest.mark.parametrize("name", DEFECTS)
def test_functions_that_find_a_defect(vllm, name):
    defect = DEFECTS[name]
    outcome = vllm(defect)
    outcome.expect(NOT_FULL if defect.fails + defect.crashes else GRADED, " functions pass, ")
    assert functions(outcome, "fails") == sorted(defect.fails)
    assert functions(outcome, "crashes") == sorted(defect.crashes)


# Why: no function of vLLM's finds the second one.
@pytest.mark.parametrize("name", SEEN_BY_SCHEDULER)
def test_the_first_step_that_differs_is_named(vllm, name):
    outcome = vllm(DEFECTS[name], "--scheduler")
    outcome.expect(NOT_FULL, " lines are as over vLLM's own manager; then, in trace ")
    at = outcome.output.index("; then, in trace ")
    theirs, yours = outcome.output[at:].splitlines()[1:3]
    assert theirs.startswith("  vLLM's  ") and yours.startswith("  yours   ")
    assert theirs.split(maxsplit=1)[1] != yours.split(maxsplit=1)[1]
