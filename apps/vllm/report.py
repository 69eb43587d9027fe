"""What `./lab vllm` prints."""

import sys
from collections import Counter

from verdicts import CRASHES, DECIDED, FAILS, LEFT_OUT, PASSES, WAITS, Verdict

NOTHING = ("lab: vLLM has no functions for the labs that are done in {tree}; with its number, "
           "./lab vllm takes a lab as it is: ./lab vllm 01")
WHERE = {"01": "the free queue", "03": "the block pool, hashes and the prefix cache",
         "04": "the KV cache manager", "07": "the scheduler"}


def print_beginning(options, runs):
    if not runs:
        print(NOTHING.format(tree=options.tree), file=sys.stderr)
        return
    *others, last = sorted({row.lab for row in runs})
    names = f"labs {', '.join(others)} and {last}" if others else f"lab {last}"
    print(f"vLLM {options.version}: its own unit tests, "
          f"on the classes of {options.tree}, {names}\n")


def print_verdicts(options, table, runs, found):
    """1 if a function is not as it is with the solution."""
    words = Counter()
    for lab in sorted({row.lab for row in runs}):
        print(f"lab {lab}, {WHERE[lab]}")
        for row in (row for row in runs if row.lab == lab):
            verdict, steps = found.get((row.file, row.function), (Verdict(CRASHES), []))
            words[_word(row, verdict)] += 1
            _print_function(row, verdict, steps)
        print()
    left_out = [row for row in table if row.verdict == LEFT_OUT]
    if options.all:
        _print_left_out(left_out)
    print(_sum(words, len(runs), len(left_out), options.all))
    return 0 if set(words) <= {PASSES, DECIDED} else 1


def _word(row, verdict):
    is_decided = row.verdict == DECIDED and verdict.word != PASSES
    return DECIDED if is_decided and verdict.word not in (CRASHES, WAITS) else verdict.word


def _print_function(row, verdict, steps):
    word = _word(row, verdict)
    cases = f" ({verdict.num_cases} cases)" if verdict.num_cases > 1 else ""
    print(f"  {word:8} {row.function}{cases}")
    if word == DECIDED:
        print(f"           {row.why}")
    elif word == WAITS:
        print(f"           {verdict.case.text}")
    elif word in (FAILS, CRASHES):
        _print_failure(row, verdict.case, steps)


def _print_failure(row, case, steps):
    if case is None:
        return
    lines = [f"{row.file}:{case.line}" + (f", case {case.case}" if case.case else ""),
             *case.statement.splitlines(), *f"{case.error}: {case.text}".splitlines()[:6]]
    if steps:
        lines.append(f"it leans on step{'s' if len(steps) > 1 else ''} {', '.join(steps)}")
    for line in lines:
        print(f"           {line}")


def _print_left_out(rows):
    print("left out of this course")
    for why, of_why in sorted(_by_reason(rows).items()):
        print(f"  {why}")
        for row in of_why:
            print(f"           {row.function}")
    print()


def _by_reason(rows):
    reasons = {}
    for row in rows:
        reasons.setdefault(row.why, []).append(row)
    return reasons


def _sum(words, num_run, num_left_out, listed):
    told = [f"{words[PASSES]} of {num_run} functions pass"]
    told += [f"{words[word]} {text}" for word, text in (
        (FAILS, "fail"), (CRASHES, "crash or do not end"), (WAITS, "wait for a step"),
        (DECIDED, "decided in another way here, with the reason")) if words[word]]
    more = "" if listed else "; --all lists them"
    return f"{', '.join(told)}. {num_left_out} more need what this course leaves out{more}."


def print_decisions(options, theirs, yours):
    """vLLM's scheduler over your manager beside the same one over vLLM's: where they part."""
    at = next((i for i, (one, other) in enumerate(zip(theirs.lines, yours.lines))
               if one != other), None)
    if at is None and len(theirs.lines) != len(yours.lines):
        at = min(len(theirs.lines), len(yours.lines))
    print(f"vLLM {options.version}'s own Scheduler over the KV cache manager of {options.tree}:")
    print(f"{options.traces} traces of seed {options.seed}, {yours.num_steps} steps, "
          f"{yours.num_preemptions} preemptions, {yours.num_hits} tokens of prefix hits, "
          f"{yours.num_calls} calls of your code")
    if at is None and not yours.complaint:
        print(f"{len(yours.lines)} lines as over vLLM's own manager: 0 differences")
        return 0
    _print_difference(theirs, yours, at if at is not None else len(yours.lines))
    return 1


def _print_difference(theirs, yours, at):
    trace = next((line for line in reversed(theirs.lines[:at + 1]) if line.startswith("trace")), "")
    print(f"the first {at} lines are as over vLLM's own manager; then, in {trace}:")
    for whose, run in (("vLLM's", theirs), ("yours", yours)):
        line = run.lines[at] if at < len(run.lines) else run.complaint or "no line"
        print(f"  {whose:7} {line}")
