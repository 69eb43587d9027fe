"""./lab serve: the metrics, as Prometheus reads them"""

import os

from kit import ROOT, python_with, run
from server import Server

PARSE = """
import sys
from prometheus_client.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    names = {sample.labels["model_name"] for sample in family.samples}
    print(family.type, family.name, *map(ascii, names))
"""


def test_prometheus_reads_the_metrics_of_a_model_with_any_name(kit):
    """Also one that is no UTF-8: what cannot be read is replaced, as in /v1/models."""
    folder = kit.new_folder("models") / os.fsdecode(b'a "b" \\n \\\n\xff')
    folder.symlink_to(ROOT / "labs/07-serving/given/model")
    server = Server(kit, "--model", folder)
    name = server.get("/v1/models").json["data"][0]["id"]
    assert name == 'a "b" \\n \\\n\ufffd'
    python = python_with(kit.build.parent.parent, "prometheus_client", "0.22.1")
    text = server.get("/metrics").text
    server.end()
    outcome = run([python, "-c", PARSE], stdin=text)
    outcome.expect(0, f"gauge vllm:num_requests_running {ascii(name)}\n",
                   f"histogram vllm:time_to_first_token_seconds {ascii(name)}\n")
    assert outcome.output.count(ascii(name)) == text.count("# TYPE")
