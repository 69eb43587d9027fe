"""./lab serve under load: a thousand requests, also under sanitizers"""

import itertools
import json
import os
import re
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kit import ROOT, run
from server import Server, start_of_program, wait_until

pytestmark = pytest.mark.full

NUM_CLIENTS = 64
SANITIZED_PATIENCE = 600  # seconds: on a busy machine, and ten times as slow
NUM_BLOCKS = 160  # the clients together want twice as many
CALLS = [{"prompt": "It is a truth" + " that" * (i % 9) + " and" * (i % 4), "seed": i,
          "max_tokens": 20 + 7 * i % 100, "stream": True} for i in range(40)]

SANITIZERS = {
    "address": ["-DLAB_SANITIZE=ON"],
    "thread": ["-DCMAKE_CXX_FLAGS=-fsanitize=thread", "-DCMAKE_EXE_LINKER_FLAGS=-fsanitize=thread"],
}


@dataclass
class Heard:
    """What a client heard of its stream, and when."""
    seconds: list = field(default_factory=list)  # from the call to each piece
    text: str = ""
    error: str = ""
    hung_up: bool = False

    @property
    def longest_gap(self):
        return max((b - a for a, b in itertools.pairwise(self.seconds)), default=0)


def listen(server, call, most_pieces):
    heard = Heard()
    started = time.monotonic()
    connection = server.send(call)
    response = connection.getresponse()
    if response.status != 200:
        heard.error = response.read().decode()
        return heard
    for line in response:
        if not line.startswith(b"data: {"):
            continue
        heard.seconds.append(time.monotonic() - started)
        heard.text += json.loads(line[6:])["choices"][0]["text"]
        if len(heard.seconds) == most_pieces:
            heard.hung_up = True
            break
    connection.close()
    return heard


def listen_to_all(server, num_requests, num_clients=NUM_CLIENTS):
    """A fifth of the clients hang up in the middle."""
    def one(i):
        call = CALLS[i % len(CALLS)]
        return listen(server, call, call["max_tokens"] // 2 if i % 5 == 4 else None)
    with ThreadPoolExecutor(num_clients) as clients:
        return list(clients.map(one, range(num_requests)))


def memory_mib(server):
    """Of the server: ./lab, or the program that it has started."""
    def of_process(pid):
        status = Path(f"/proc/{pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) // 1024
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return max(of_process(one) for one in [pid, *children])


def tokens_per_second(heard, seconds):
    return sum(len(one.seconds) for one in heard) / seconds


def expect_all_served(server, heard, alone, seconds_to_idle=5):
    assert [one.error for one in heard if one.error] == []
    for i, one in enumerate(heard):
        expected = alone[i % len(CALLS)]
        assert one.text == expected or one.hung_up and expected.startswith(one.text)
    wait_until(server.is_idle, seconds_to_idle)


def print_figures(heard, seconds, rate_alone, metrics, memory):
    firsts = [one.seconds[0] for one in heard]
    gaps = [one.longest_gap for one in heard]
    print(f"\n{NUM_CLIENTS} clients, {len(heard)} requests, "
          f"{sum(one.hung_up for one in heard)} hung up in the middle, {seconds:.1f} s")
    print(f"tokens a second: {tokens_per_second(heard, seconds):.0f}; "
          f"one request at a time: {rate_alone:.0f}")
    for name, values in [("first token", firsts), ("longest gap", gaps)]:
        print(f"{name}: median {1000 * statistics.median(values):.0f} ms, "
              f"worst {1000 * max(values):.0f} ms")
    print(f"preemptions: {metrics['vllm:num_preemptions_total']:.0f}; "
          f"memory: {memory[0]} MiB after 100 requests, {memory[1]} MiB at the end")


def test_a_thousand_requests(kit):
    server = Server(kit, "--blocks", str(NUM_BLOCKS))
    started = time.monotonic()
    alone = [listen(server, call, None) for call in CALLS]
    rate_alone = tokens_per_second(alone, time.monotonic() - started)
    texts = [one.text for one in alone]

    expect_all_served(server, listen_to_all(server, 100), texts)
    after_100 = memory_mib(server)
    started = time.monotonic()
    heard = listen_to_all(server, 1000)
    seconds = time.monotonic() - started

    expect_all_served(server, heard, texts)
    at_the_end = memory_mib(server)
    metrics = server.metrics()
    print_figures(heard, seconds, rate_alone, metrics, (after_100, at_the_end))
    assert metrics["vllm:num_preemptions_total"] > 0
    assert at_the_end < after_100 + 8  # MiB
    assert "stopped: 0 requests dropped" in server.end()


@pytest.mark.parametrize("sanitizer", SANITIZERS)
def test_no_sanitizer_finds_anything(kit, sanitizer):
    build = kit.build / sanitizer
    run(["cmake", "-S", ROOT, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
         *SANITIZERS[sanitizer]]).expect(0)
    run(["cmake", "--build", build, "--target", "lab07_serve", "--parallel",
         str(os.cpu_count())], timeout=1200).expect(0)
    server = Server(kit, program=start_of_program(build / "lab07_serve", ROOT, NUM_BLOCKS),
                    patience=SANITIZED_PATIENCE)
    texts = [listen(server, call, None).text for call in CALLS]
    # Why fewer: a sanitized server takes ten times as long.
    expect_all_served(server, listen_to_all(server, 80, num_clients=16), texts,
                      SANITIZED_PATIENCE)
    output = server.end()
    assert "Sanitizer" not in output, output
