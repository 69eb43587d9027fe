"""What today's rules buy: replays five traces, and draws figures/replay.svg of the numbers.

    python3 docs/site/recorder/record_replay.py conversation_trace.jsonl synthetic_trace.jsonl

replays the two public traces and three that the kit generates, which takes about 20 minutes, and writes
figures/replay.json. Without traces, it draws what is there. It prints the tables of docs/replay.md.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from replay_svg import drawn
from replay_tables import RULES, TODAY, WATERMARKS, tables

KIT = Path(__file__).parents[3]
DATA, PICTURE = (KIT / f"docs/site/figures/replay.{kind}" for kind in ("json", "svg"))
PROGRAM = os.environ.get("LAB_PROGRAM", KIT / "lab")

PUBLIC = ["Mooncake's conversations", "Mooncake's synthetic trace"]
GENERATED = [(800, 4), (4000, 5), (20000, 6)]  # requests and seed
ALL = "1000000"  # more requests than a trace has


def replay(*options):
    command = [PROGRAM, "replay", "--tree", "solution", *map(str, options)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def report(*options):
    return json.loads(replay(*options, "--json", "-"))


def by_capacity(trace):
    """A row for each capacity: what is found in blocks of 512, under both free orders."""
    reports = [report(trace, "--block-size", 512, "--serve", 0, "--rules", name) for name in RULES]
    return [{"capacity": rows[0]["capacity"],
             "num_blocks": rows[0]["num_blocks"],
             "num_hits": [row["num_hits"] for row in rows],
             "num_tokens_when_warm": rows[0]["num_tokens_when_warm"],
             "num_hits_when_warm": [row["num_hits_when_warm"] for row in rows]}
            for rows in zip(*(report["hit_rates"] for report in reports))]


def served(trace, pool_tokens):
    """A run for each free order, and then one for each watermark under today's rules."""
    runs = [(name, 0) for name in RULES] + [(TODAY, share) for share in WATERMARKS]
    schemes = [report(trace, "--serve", ALL, "--capacities", 1, "--pool-tokens", pool_tokens,
                      "--rules", name, "--watermark", share)["serving"]["schemes"][-1]
               for name, share in runs]
    print(f"{trace}: {pool_tokens} tokens of memory are done", file=sys.stderr)
    return {"pool_tokens": pool_tokens, "num_prompt_tokens": schemes[0]["num_prompt_tokens"],
            **{key: [scheme[key] for scheme in schemes]
               for key in ("num_first_hits", "num_preemptions", "num_steps")}}


def measured(name, trace, least_pool):
    num_requests = report(trace, "--serve", 0, "--capacities", 1)["num_requests"]
    return {"name": name, "num_requests": num_requests, "by_capacity": by_capacity(trace),
            "served": [served(trace, least_pool * 2 ** doublings) for doublings in range(5)]}


def generated(num_requests, seed):
    text = replay("--generate", num_requests, "--seed", seed)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as trace:
        trace.write(text)
        trace.flush()
        return measured(f"generated, {num_requests:,}", trace.name, 2 ** 15)


def text_of(traces):
    """A row on a line of its own, so that a change can be read."""
    text = json.dumps(traces)
    for part in ('{"name"', '{"capacity"', '{"pool_tokens"', '"served"'):
        text = text.replace(", " + part, ",\n" + part).replace("[" + part, "[\n" + part)
    return text + "\n"


def main(paths):
    if paths:
        traces = [measured(name, path, 2 ** 18) for name, path in zip(PUBLIC, paths, strict=True)]
        traces += [generated(*which) for which in GENERATED]
        DATA.write_text(text_of(traces), encoding="utf-8")
    traces = json.loads(DATA.read_text(encoding="utf-8"))
    PICTURE.write_text(drawn(traces), encoding="utf-8")
    print("\n\n".join(tables(traces)))


main(sys.argv[1:])
