"""vLLM's names: each path and symbol that the kit names is in the release that it names"""

import pytest

from kit_fixtures import build_folder
from texts import expect_none
from vllm_names import (beginnings_of_questions, comments, missing, names_in, rows_of_tables,
                        sentences, texts_about_vllm)
from vllm_releases import JUNE, TODAY, Tree, tree_of


# Why of the full test: it downloads 80 MB, once for a build folder.
@pytest.mark.full
def test_each_name_is_in_the_release():
    trees = {release: tree_of(build_folder(), release) for release in (JUNE, TODAY)}
    texts = list(texts_about_vllm())
    assert sum(len(names_in(text.text)) for text in texts) > 300
    expect_none(line for text in texts for line in missing(text, trees[text.release]))


@pytest.fixture
def tree(tmp_path):
    files = {"vllm/core/pool.py": "class Pool:\n  def touch(self): pass\n",
             "vllm/core/queue.py": "class Queue:\n  def pop(self): pass\n"}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return Tree(tmp_path)


def found_in(texts, tree):
    return [(text.release, line.partition(" is not in ")[0])
            for text in texts for line in missing(text, tree)]


TABLE = """
Files without a folder are in `vllm/core/`.

| ours | vLLM v0.22 | v0.33 |
|---|---|---|
| `a` | `vllm/core/pool.py`: `Pool.touch`; none; until 2025 `old` | `pool.py`: `pop` |
| `Pool::pop`, `gone` | the methods of the same names | `Pool` and `touch` in `queue.py` |
| `b` | `pop` in `queue.py`; `vllm/pool.py` | `lost.py`, as nano-vLLM's `c` |

All in `vllm/core/queue.py`.

| ours | today |
|---|---|
| `d` | `Queue`, `touch` |
"""


def test_what_is_wrong_in_a_table_is_found(tree):
    assert found_in(rows_of_tables("t", TABLE), tree) == [
        (TODAY, "t:6: pop"), (JUNE, "t:7: Pool.pop"), (JUNE, "t:7: gone"), (TODAY, "t:7: touch"),
        (TODAY, "t:7: Pool"), (JUNE, "t:8: vllm/pool.py"), (TODAY, "t:8: vllm/core/lost.py"),
        (TODAY, "t:14: touch")]


def test_what_is_wrong_in_a_list_of_questions_is_found(tree):
    page = "- [ ] `Pool.touch`: why?\n- [ ] `Pool.pop`: why not `b`?\n# For 0.33\n1. `gone`: why?\n"
    assert found_in(beginnings_of_questions("q", page), tree) == [
        (JUNE, "q:2: Pool.pop"), (TODAY, "q:4: gone")]


def test_what_is_wrong_in_a_sentence_is_found(tree):
    page = ("`ours` is not named. vLLM's `touch()` is, and nano-vLLM's `b` is not.\n\n"
            "- In vLLM 0.22, `vllm/core/pool.py`: `touch`, and\n  `pop`.\nSince 0.24 `gone`.")
    assert found_in(sentences("s", page), tree) == [(JUNE, "s:3: pop"), (TODAY, "s:5: gone")]


def test_what_is_wrong_in_a_comment_is_found(tree):
    source = ("// vLLM: Pool in vllm/core/queue.py\n\n// O(1).  vLLM: touch (raises)\nint a;\n"
              "// vLLM: touched, and Pool\n// of no_name, since 0.24\n\n// vLLM: none, it maps\n"
              "// vLLM: pop (0.33: dropped)\n\n// vLLM: fork, until 2025\n// nano-vLLM: b\n")
    assert found_in(comments("c", source), tree) == [
        (JUNE, "c:1: Pool"), (TODAY, "c:5: touched"), (TODAY, "c:5: no_name"),
        (TODAY, "c:9: dropped")]
