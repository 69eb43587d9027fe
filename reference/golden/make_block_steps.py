#!/usr/bin/env python3
"""Writes what vLLM's queue, pool and manager did, call by call, from recordings of them.

    python3 reference/golden/make_block_steps.py queue|pool|manager RECORDING.jsonl.gz

Each of the three recordings has 40 traces of vLLM v0.33.0, with hundreds of random calls. The first
60 calls of the traces named here are written, to queue_steps_0_33.inc, pool_steps_0_33.inc and
manager_steps_0_33.inc; the other calls and the other traces are held out, so that code that was
made from the files can be tried on what it has not seen. The form of a line is in block_steps.h.
"""

import sys

from recordings import joined, number, traces_in, write_lines

# Chosen so that these are in: queues of none, one and many blocks; caching off, every block size,
# the null block in lists, salts, lookahead, drafts, prompts that must fit, and each call with each
# of its results.
TRACES = {"queue": [14, 11, 31, 3, 28, 8, 30, 23],
          "pool": [8, 18, 9, 5, 30, 35],
          "manager": [0, 24, 25, 8, 9, 5, 29, 6, 38, 14, 28]}
NUM_CALLS = 60


def ids(blocks):
    return joined(blocks, ".") or "-"


def given(record):
    """What a call returned: blocks, or none if it did not get them."""
    return "none" if record.get("ret") is None else ids(record["ret"])


def head(trace):
    return joined(["trace", trace["id"], trace["num_blocks"]]
                  + [int(trace[key]) for key in ("block_size", "enable_caching") if key in trace])


def queue_line(record):
    op = record["op"]
    if op in ("append", "remove"):
        return joined([op, record["id"]] + (["refused"] if "err" in record else []))
    if op == "append_n":
        return f"append_n {ids(record['ids'])}"
    if op == "popleft":
        return f"popleft {record.get('ret', 'none')}"
    assert op == "popleft_n"
    return f"popleft_n {record['n']} {given(record)}"


class PoolLines:
    """A hash is written with those before it in its text, if the trace has cached it."""

    def __init__(self, records):
        self.parents = {}
        for record in records:
            hashes = record.get("hashes", [])
            self.parents.update(zip(hashes, [None, *hashes]))

    def chain(self, block_hash):
        hashes = [block_hash]
        while self.parents.get(hashes[0]) is not None:
            hashes.insert(0, self.parents[hashes[0]])
        return ids(hashes)

    def line(self, record):
        op = record["op"]
        if op == "new":
            return f"new {record['n']} {given(record)}"
        if op in ("touch", "free", "evict"):
            return f"{op} {ids(record['ids'])}"
        if op == "lookup":
            return f"lookup {self.chain(record['hash'])} {record.get('ret', 'none')}"
        if op == "reset":
            return f"reset {int(record['ret'])}"
        assert op == "cache"
        sealed = [record["num_cached"], record["num_full"], ids(record["hashes"])]
        return joined([op, ids(record["blocks"])] + sealed)


class ManagerLines:
    """The hashes of a request are written once each, where they are new."""

    def __init__(self, trace):
        self.block_size = trace["block_size"]
        self.num_hashes = {}

    def new_hashes(self, record):
        first = self.num_hashes.get(record["req"], 0)
        self.num_hashes[record["req"]] = len(record["hashes"])
        return ids(record["hashes"][first:])

    def line(self, record):
        op, request = record["op"], number(record.get("req", ""))
        if op in ("add", "append"):
            assert max(record["tokens"]) < 10
            words = [op, request, joined(record["tokens"], ""), self.new_hashes(record)]
            if op == "append":
                return joined(words)
            return joined([*words, record.get("salt", "-"), int("skip_cache_read" in record)])
        if op == "lookup":
            assert record["ret"]["n"] == len(record["ret"]["blocks"]) * self.block_size
            return f"lookup {request} {ids(record['ret']['blocks'])}"
        if op == "alloc":
            return self.allocation(request, record)
        if op in ("free", "preempt"):
            assert record["table"] == []
            return f"{op} {request}"
        if op == "common_prefix":
            return f"common_prefix {request} {record['ret']}"
        return f"evict {ids(record['ids'])}" if op == "evict" else f"reset {int(record['ret'])}"

    def allocation(self, request, record):
        assert record.get("nhit", 0) == len(record.get("hit", [])) * self.block_size
        asked = [record["computed"], record["new"], ids(record.get("hit", []))]
        extra = [record.get("lookahead", 0), int(record.get("fit", False))]
        return joined(["alloc", request, *asked, *extra, given(record), "| table",
                       ids(record["table"])])


def event(record):
    if record["t"] == "stored":
        parent = "-" if record["parent"] is None else record["parent"]
        return f"stored:{ids(record['h'])}:{parent}"
    return f"removed:{ids(record['h'])}" if record["t"] == "removed" else "cleared"


def state(record):
    """Name and text of each part of the state after a call."""
    yield "free", ids(record["free"])
    if "ref" in record:
        hashes = {i: block_hash for i, block_hash in enumerate(record["bh"]) if block_hash >= 0}
        assert record["cached"] == len(set(hashes.values()))
        yield "used", joined(f"{i}:{num}" for i, num in enumerate(record["ref"]) if num)
        yield "cached", joined(f"{i}:{block_hash}" for i, block_hash in hashes.items())
        yield "events", joined(sorted(map(event, record.get("ev", []))))


def lines_of(kind, trace, records):
    """A part of the state that is as in the line before is left out."""
    own_line = queue_line if kind == "queue" else (
        PoolLines(records) if kind == "pool" else ManagerLines(trace)).line
    before = {"used": "", "cached": "", "events": ""}
    yield head(trace)
    for record in records[:NUM_CALLS]:
        line = "init" if record["op"] == "init" else own_line(record)
        for name, text in state(record):
            if before.get(name) != text:
                line += f" | {name} {text}"
            before[name] = "" if name == "events" else text
        yield " ".join(line.split())


def main():
    kind, recording_file = sys.argv[1:]
    traces = traces_in(recording_file)
    lines = [line for i in TRACES[kind] for line in lines_of(kind, *traces[i])]
    write_lines(f"{kind}_steps_0_33.inc", lines, len(TRACES[kind]))


if __name__ == "__main__":
    main()
