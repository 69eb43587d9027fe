"""documents: the tables and the picture of docs/replay.md are those of what was measured"""

import json
import sys

import pytest

from kit import ROOT
from texts import read

sys.path.append(str(ROOT / "docs/site/recorder"))

# Why here: they are in the folder above.
from replay_svg import drawn  # noqa: E402
from replay_tables import tables  # noqa: E402

FIGURES = "docs/site/figures"


@pytest.fixture(scope="module")
def traces():
    return json.loads(read(f"{FIGURES}/replay.json"))


def test_the_picture_is_what_the_script_draws(traces):
    assert read(f"{FIGURES}/replay.svg") == drawn(traces), (
        "draw it again: python3 docs/site/recorder/record_replay.py")


def test_the_page_has_the_tables_of_what_was_measured(traces):
    page = read("docs/replay.md")
    assert f"]({FIGURES.removeprefix('docs/')}/replay.svg)" in page
    for table in tables(traces):
        assert table in page


def test_both_free_orders_have_the_same_hit_rates(traces):
    """The page says so."""
    counts = [point[key] for trace in traces for point in trace["by_capacity"]
              for key in ("num_hits", "num_hits_when_warm")]
    assert len(counts) == 60
    assert all(june == today for june, today in counts)
