"""What the scripts that write the recorded steps share: they read a recording and write its lines.

The first line of a recording says whose it is. After it, each trace has a line with its sizes and
then a line for each call.
"""

import gzip
import json
import pathlib


def joined(items, between=" "):
    return between.join(str(item) for item in items)


def number(name):
    return name.removeprefix("r")


def traces_in(recording_file):
    """By id: the sizes of a trace, and its calls."""
    traces = {}
    with gzip.open(recording_file, "rt") as recording:
        for record in map(json.loads, list(recording)[1:]):
            if "trace" in record:
                calls = []
                traces[record["id"]] = (record, calls)
            else:
                calls.append(record)
    return traces


def write_lines(name, lines, num_traces):
    path = pathlib.Path(__file__).with_name(name)
    path.write_text("".join(f'"{line}",\n' for line in lines))
    print(f"{name}: {num_traces} traces, {len(lines)} lines, {path.stat().st_size} bytes")
