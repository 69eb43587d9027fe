#!/usr/bin/env python3
"""Writes what vLLM's Scheduler did, step by step, from a recording of it.

    python3 reference/golden/make_scheduler_steps.py 0.22|0.33 RECORDING.jsonl.gz

The recordings have 60 traces of vLLM v0.22 (commit b817b23f7) and 40 of v0.33.0, each of 120 steps
with random requests. The first 40 steps of the traces named here are written, to
scheduler_steps.inc and scheduler_steps_0_33.inc; the other steps and the other traces are held out,
so that a scheduler that was made from the files can be tried on what it has not seen. The form of a
line is in scheduler_steps.h.
"""

import sys

from recordings import joined, number, traces_in, write_lines

# Chosen so that both policies, every block size, the threshold, chunked prefill off, prompts that
# must fit, caching off, aborts and resets are in, in pools that are too small.
TRACES = {"0.22": [0, 7, 12, 13, 25, 46, 54, 20, 26, 35, 44, 53],  # FCFS, then PRIORITY
          "0.33": [0, 6, 12, 22, 28, 37, 2, 20, 26, 29, 38]}
FILES = {"0.22": "scheduler_steps.inc", "0.33": "scheduler_steps_0_33.inc"}
NUM_STEPS = 40


def numbers(names):
    return joined(number(name) for name in names)


def head(trace):
    keys = "id num_blocks block_size max_model_len token_budget max_num_seqs"
    limits = "long_prefill_token_threshold chunked_prefill full_sequence_must_fit enable_caching"
    values = [int(trace[key]) for key in f"{keys} {limits}".split()]
    return joined(["trace", trace["policy"]] + values)


def scheduled(step):
    """Of each request: its number, computed tokens, new tokens, how it was scheduled, blocks."""
    for name, num_tokens in step["scheduled"]:
        kind = "n" if name in step["new"] else "r" if name in step["resumed"] else "-"
        before, blocks = step["computed_before"][name], step["blocks"].get(name, [])
        assert step["computed"][name] == before + num_tokens
        yield joined([number(name), before, num_tokens, kind, joined(blocks, ".")], ":")


def line_of(record):
    op = record["op"]
    if op == "add":
        assert max(record["tokens"]) < 10 and record["arrival"] == int(record["arrival"])
        asked = [number(record["req"]), record["max_tokens"], record["priority"]]
        return joined(["add"] + asked + [int(record["arrival"]), joined(record["tokens"], "")])
    if op == "schedule":
        told = [numbers(sorted(record[key])) for key in ("preempted", "finished_before")]
        return joined(["schedule", *scheduled(record), "|", told[0], "|", told[1], "|",
                       record["common_prefix"]])
    if op == "output":
        sampled = [f"{number(name)}:{tokens[0]}" for name, tokens in record["sampled"].items()]
        return joined(["output", *sampled, "|", numbers(sorted(record["finished"]))])
    if op == "abort":
        return "abort " + number(record["req"])
    assert op == "reset"
    return f"reset {int(record['ret'])}"


def lines_of(trace, records):
    """The state after a call follows it; a free queue that has not changed is left out."""
    free, num_steps = None, 0
    yield head(trace)
    for record in records:
        num_steps += record["op"] == "schedule"
        if num_steps > NUM_STEPS:
            return
        line = line_of(record)
        if "free" in record:
            line += f" | {numbers(record['waiting'])} | {numbers(record['running'])}"
            line += "" if record["free"] == free else f" | {joined(record['free'])}"
            free = record["free"]
        yield " ".join(line.split())


def main():
    version, recording_file = sys.argv[1:]
    traces = traces_in(recording_file)
    lines = [line for i in TRACES[version] for line in lines_of(*traces[i])]
    write_lines(FILES[version], lines, len(TRACES[version]))


if __name__ == "__main__":
    main()
