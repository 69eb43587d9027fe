"""./lab replay: hits as an oracle counts them, and bad input is a clear error"""

import json

import pytest

from kit import GRADED, USAGE, copy_lab, lab_of, replace_in, run

LAB = lab_of("04")
LITTLE = ["--serve", "0", "--capacities", "64"]
GOOD = '{"timestamp": 0, "input_length": 600, "output_length": 3, "hash_ids": [0, 1]}'
BAD = {
    '{"input_length": 600,': "this is not JSON",
    "[1, 2]": "this is not a JSON object",
    '{"output_length": 3, "hash_ids": [0]}': 'there is no "input_length"',
    '{"input_length": "6", "output_length": 3, "hash_ids": [0]}': "a whole number",
    '{"input_length": 0, "output_length": 3, "hash_ids": []}': "from 1 to 10000000",
    '{"input_length": 600, "output_length": 3, "hash_ids": [0]}': "2 blocks of 512",
    '{"input_length": 600, "output_length": 3, "hash_ids": [0, -1]}': "ids are whole",
    '{"input_length": 600, "output_length": 3}': 'no list "hash_ids"',
    '{"input_length": 6, "output_length": 3, "hash_ids": ' + "[" * 60_000 + "]" * 60_000 + "}":
        "nested more than 64 deep",
    '{"timestamp": "x", "input_length": 6, "output_length": 3, "hash_ids": [0]}': "timestamp is",
}


@pytest.fixture(scope="module")
def replay(kit):
    """The command, once it has built its program."""
    def command(*options, tree="solution"):
        return kit.lab("replay", "--tree", tree, *options)

    first = command("--first", "3")
    if "libbenchmark-dev" in first.output:
        pytest.skip("needs Google Benchmark")
    first.expect(GRADED, "hit rate by capacity")
    return command


@pytest.fixture(scope="module")
def built(kit, replay):
    """The program that ./lab replay has built, alone: nothing is built again."""
    return lambda *options, **more: run([kit.build / "bench/lab04_replay", *options], **more)


@pytest.fixture(scope="module")
def default_trace(built):
    return built("--generate", "800").output


@pytest.fixture
def trace(kit):
    return kit.build / "trace.txt"


@pytest.fixture
def replay_text(built, trace):
    def command(text, *options):
        trace.write_bytes(text.encode("latin-1"))
        return built(trace, *LITTLE, *options)
    return command


def report_of(outcome):
    outcome.expect(GRADED)
    return json.loads(outcome.output)


def test_the_default_trace_has_the_same_bytes_on_every_machine(default_trace):
    lines = default_trace.splitlines()
    assert len(default_trace) == 75_682 and len(lines) == 800
    assert lines[-1].endswith('"hash_ids": [3, 4, 5, 1336]}')


def test_without_a_trace_the_default_one_is_replayed(built, replay_text, default_trace):
    [default] = report_of(built(*LITTLE, "--json", "-"))["hit_rates"]
    [of_file] = report_of(replay_text(default_trace, "--json", "-"))["hit_rates"]
    for count in "num_blocks", "num_hits":
        assert default[count] == of_file[count] > 0


# In small caches blocks are evicted, and some requests do not fit.
@pytest.mark.parametrize("block_size, factor", [(16, 32), (512, 1)])
def test_manager_and_oracle_count_the_same(built, block_size, factor):
    capacities = [factor * capacity for capacity in (8, 100, 400, 1000, 5000)]
    rows = report_of(built("--block-size", block_size, "--serve", "0", "--beside-reference",
                             "--json", "-", "--capacities", *capacities))["hit_rates"]
    assert len(rows) == len(capacities)
    for row in rows:
        for count in "num_hits", "num_evictions", "num_unfit":
            assert row[count] == row["reference"][count] == row["exact_reference"][count]


@pytest.mark.parametrize("line", BAD)
def test_a_malformed_line_is_refused(replay_text, trace, line):
    replay_text(f"{GOOD}\n{line}\n").expect(USAGE, f"{trace}:2: ", BAD[line])


def test_malformed_lines_can_be_left_out_and_are_counted(replay_text):
    lines = [GOOD, *BAD, GOOD]
    report = report_of(replay_text("\n".join(lines) + "\n", "--skip-bad", "--json", "-"))
    assert report["num_bad_lines"] == len(BAD)
    assert report["num_requests"] == 2
    assert report["hit_rates"][0]["num_hits"] == 64


def test_csv_with_any_case_of_its_header(replay_text):
    csv = "Timestamp,CONTEXTTOKENS,GeneratedTokens\r\n2023-11-16 18:17:03.97,374,44\r\n\n1,513,9\n"
    report = report_of(replay_text(csv, "--json", "-", "--block-size", "512"))
    assert report["num_requests"] == 2 and report["num_distinct_ids"] == 3


@pytest.mark.parametrize("text, sentence", [
    ("prompt,output\n5,6\n7\n", ":3: there are 1 fields"),
    ("prompt,output\n5,6x\n", ':2: the output\'s length is "6x"'),
    ("hello\n", "neither a JSON object nor a CSV header"),
    ("\x1f\x8b\x08\n", "zcat"),
    ("\n", "has no request"),
])
def test_what_is_no_trace_is_refused(replay_text, text, sentence):
    replay_text(text).expect(USAGE, sentence)


def test_a_trace_that_is_not_there_is_refused(built):
    built("/nowhere.jsonl").expect(USAGE, 'cannot read a trace from "/nowhere.jsonl"')


def test_a_trace_on_the_standard_input(built):
    outcome = built("-", "--serve", "0", stdin="prompt,output\n700,6\n")
    outcome.expect(GRADED, "1 requests of standard input")


def test_paging_holds_more_tokens_and_events_are_the_steps_of_a_story(kit, built):
    events = kit.build / "events.jsonl"
    report = report_of(built("--first", "300", "--pool-tokens", "65536", "--json", "-",
                               "--events", events))
    schemes = report["serving"]["schemes"]
    assert len(schemes) == 5
    longest, rounded, _, paged, _ = schemes
    assert longest["held_of_pool"] < rounded["held_of_pool"]  # each in one piece of memory
    assert paged["held_of_reserved"] > 0.98 and paged["held_of_pool"] > 0.9
    steps = [json.loads(line) for line in events.read_text().splitlines()]
    assert len(steps) > 100 and [step["step"] for step in steps] == list(range(len(steps)))
    assert all(isinstance(step["state"], dict) for step in steps)


def served(built, *options):
    report = report_of(built("--first", "300", "--capacities", "64", "--pool-tokens", "65536",
                             "--max-model-len", "16384", "--json", "-", *options))
    return report["serving"]["schemes"][-1]


def test_the_rules_decide_which_blocks_are_found_while_some_wait(built):
    """The prompts are the same, and so is what they need; which block is next is not."""
    june, today = (served(built, "--rules", rules) for rules in ("vllm_0_22", "vllm_0_33"))
    assert june["num_prompt_tokens"] == today["num_prompt_tokens"] == 510_088
    assert june["num_hit_tokens"] < today["num_hit_tokens"]


def prompts(*lengths_and_ids):
    lines = [json.dumps({"input_length": length, "output_length": 3, "hash_ids": ids})
             for length, ids in lengths_and_ids]
    return "\n".join(lines) + "\n"


def test_hits_are_shares_of_all_ids_and_of_the_tokens_of_the_second_half(replay_text):
    """Of five prompts, two are the first half. The last block of 600 tokens has 88."""
    text = prompts((600, [0, 1]), (600, [0, 1]), (600, [0, 1]), (1024, [0, 2]), (100, [3]))
    [row] = report_of(replay_text(text, "--block-size", "512", "--json", "-"))["hit_rates"]
    assert (row["num_hits"], row["num_blocks"], row["hit_rate"]) == (5, 9, 5 / 9)
    assert (row["num_hits_when_warm"], row["num_tokens_when_warm"]) == (600 + 512, 1724)
    assert row["hit_rate_when_warm"] == 1112 / 1724


def test_a_watermark_avoids_preemptions_and_less_than_a_block_avoids_none(built):
    none, little, more = (served(built, "--watermark", share) for share in ("0", "0.0002", "0.05"))
    assert none["num_preemptions"] == little["num_preemptions"] > more["num_preemptions"]
    assert none["num_steps"] == little["num_steps"] < more["num_steps"]


def test_what_a_preempted_request_finds_again_is_counted_apart(built):
    some, none = served(built), served(built, "--watermark", "0.3")
    assert some["num_preemptions"] > 0 and some["num_first_hits"] < some["num_hit_tokens"]
    assert none["num_preemptions"] == 0 and none["num_first_hits"] == none["num_hit_tokens"]


@pytest.mark.parametrize("share", ["-0.1", "1", "nan", "inf", "much", "0.5x"])
def test_a_watermark_that_is_no_share_is_refused(built, share):
    built("--watermark", share).expect(
        USAGE, f"--watermark: it is {share}, but it has to be from 0 to less than 1")


def test_a_maximum_that_a_request_exceeds_is_refused(built):
    refused = built("-", "--max-model-len", "602", "--json", "-", stdin=prompts((600, [0, 1])))
    refused.expect(USAGE, "a request of the trace has 603 tokens, so --max-model-len has to be")


def test_an_option_that_does_not_exist_is_refused(replay):
    replay("--fast").expect(USAGE, "--fast; run ./lab replay --help")


def test_a_tree_that_is_not_written_is_refused(replay):
    replay(tree="starter").expect(USAGE, "4.1 BlockTable::append is not written in starter/")


def test_a_tree_that_throws_is_refused(kit, replay):
    tree = kit.new_folder("tree")
    copy_lab(LAB, tree, "solution")
    replace_in(tree / LAB.folder / "kv_cache_manager.cpp",
               "block_pool_.free_blocks(std::vector(blocks.rbegin(), blocks.rend()));",
               'throw std::out_of_range("lost");')
    replay(tree=tree).expect(USAGE, "the tree throws an exception: lost")
