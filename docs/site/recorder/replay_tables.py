"""What record_replay.py has measured, as the tables of docs/replay.md."""

RULES = ["vllm_0_22", "vllm_0_33"]
TODAY = RULES[1]
WATERMARKS = [0.01, 0.05]


def table(names, rows):
    lines = [names, ["---", *["--:"] * (len(names) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def percent(part, whole):
    return f"{100 * part / whole:.2f} %"


def of_capacities(traces):
    """Hits / ids, and the share of the authors: the free order changes neither."""
    shares = ["all", "1/2", "1/4", "1/10", "1/25", "1/100"]
    rows = []
    for trace in traces:
        points = trace["by_capacity"]
        rows.append([trace["name"], "of all ids", *[
            percent(point["num_hits"][1], point["num_blocks"]) for point in points]])
        rows.append(["", "when warm", *[
            percent(point["num_hits_when_warm"][1], point["num_tokens_when_warm"])
            for point in points]])
    return table(["trace", "hit rate", *shares], rows)


def of_served(names, traces, cells):
    """cells: of a row, made of what was measured with one size of the memory."""
    rows = []
    for trace in traces:
        for number, point in enumerate(trace["served"]):
            name = "" if number else trace["name"]
            rows.append([name, f"{point['pool_tokens']:,}", *cells(point)])
    return table(["trace", "`--pool-tokens`", *names], rows)


def found_and_preempted(point):
    found = [percent(hits, point["num_prompt_tokens"]) for hits in point["num_first_hits"][:2]]
    return [*found, *(f"{count:,}" for count in point["num_preemptions"][:2])]


def with_watermarks(point):
    return [f"{count:,}" for key in ("num_preemptions", "num_steps") for count in point[key][1:]]


def tables(traces):
    orders = ["found, 0.22", "0.33", "preemptions, 0.22", "0.33"]
    marks = [f"{100 * share:.0f} %" for share in WATERMARKS]
    return [of_capacities(traces),
            of_served(orders, traces, found_and_preempted),
            of_served(["preemptions, none", *marks, "steps, none", *marks], traces,
                      with_watermarks)]
