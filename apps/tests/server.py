"""./lab serve in the background, and calls to it."""

import http.client
import json
import os
import re
import signal
import subprocess
import time
from dataclasses import dataclass

PATIENCE = 60  # seconds


@dataclass
class Answer:
    status: int
    headers: dict
    text: str

    @property
    def json(self):
        return json.loads(self.text)

    @property
    def events(self):
        """Of a stream, without its end."""
        lines = [line.removeprefix("data: ") for line in self.text.split("\n\n") if line]
        assert lines[-1] == "[DONE]", self.text
        return [json.loads(line) for line in lines[:-1]]


class Server:
    """It listens at a free port until it is stopped."""

    def __init__(self, kit, *options, tree="solution", program=None, patience=PATIENCE):
        self.patience = patience  # seconds that a client waits for the next word
        argv = program or [kit.program, "serve", "--port", "0", "--tree", tree, *options]
        folders = {"LAB_ROOT": str(kit.root), "LAB_BUILD_DIR": str(kit.build)}
        self.process = subprocess.Popen(
            [str(word) for word in argv], env={**os.environ, **folders},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        first = self.process.stdout.readline()
        found = re.search(r"serving at http://([\d.]+):(\d+)", first)
        assert found, first + self.process.stdout.read()
        self.address = found[1], int(found[2])

    def connect(self):
        return http.client.HTTPConnection(*self.address, timeout=self.patience)

    def send(self, body, path="/v1/completions", headers=None):
        """The connection of a call of which nothing has been read yet."""
        connection = self.connect()
        data = body if isinstance(body, (bytes, str)) else json.dumps(body)
        connection.request("POST", path, data, headers or {})
        return connection

    def post(self, body, path="/v1/completions", headers=None):
        return read(self.send(body, path, headers))

    def get(self, path):
        connection = self.connect()
        connection.request("GET", path)
        return read(connection)

    def text(self, **call):
        return self.post(call).json["choices"][0]["text"]

    def metrics(self):
        lines = self.get("/metrics").text.splitlines()
        pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
        return {name.replace('model_name="pagedlab"', "").replace("{}", ""): float(value)
                for name, value in pairs}

    def is_idle(self):
        metrics = self.metrics()
        return (metrics["vllm:num_requests_running"] == 0
                and metrics["vllm:num_requests_waiting"] == 0
                and metrics["vllm:kv_cache_usage_perc"] == 0)

    def start_over(self, num_blocks):
        """At full speed, with an empty pool."""
        self.post({"steps_a_second": 0, "paused": False}, "/pace")
        self.post({"blocks": num_blocks}, "/pool")

    def end(self, sent=signal.SIGTERM):
        """What it said since it listens."""
        self.process.send_signal(sent)
        return self.has_ended(0)

    def has_ended(self, exit_code):
        """Waits for it; what it said since it listens."""
        output, _ = self.process.communicate(timeout=self.patience)
        assert self.process.returncode == exit_code, output
        return output


def start_of_program(program, root, num_blocks):
    """The words with which ./lab serve starts its program, for a test that builds or limits it."""
    return [program, "model", root / "labs/07-serving/given/model", "block-size", "16",
            "blocks", str(num_blocks), "rules", "vllm_0_22", "threads", "2",
            "model-name", "pagedlab", "host", "127.0.0.1", "port", "0",
            "api-key", "", "max-requests", "128", "page", root / "base/page/page.html"]


def read(connection):
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return Answer(response.status, dict(response.getheaders()), text)


def wait_until(condition, seconds=PATIENCE):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come true"
        time.sleep(0.01)
