"""./lab vllm: the program of the student's classes, whatever they do"""

from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

import vllm_folder  # noqa: F401
import runs
from classes.blocks import Blocks
from classes.stack import SECONDS, Broken, Refused, Stack
from kit import USAGE, copy_lab, lab_of, write_step

LAB = lab_of("01")
ODD = {
    "1.1": "static KVCacheBlock stranger; return {&stranger};",
    "1.2": "throw 5;",
    "1.3": """
      std::string word;
      std::cin >> word;
      std::cout << "{printed" << word << "}" << std::endl;
      std::cerr << "and an error" << std::endl;
      return sentinel_.next_free_block;""",
    "1.4": "for (volatile bool goes_on = true; goes_on;) {}",
    "1.5": "std::exit(0);",
    "1.6": "std::vector<std::vector<char>> all; for (;;) all.emplace_back().reserve(1 << 26);",
    "1.11": "std::terminate();",
}
NO_NETWORK = {"PIP_INDEX_URL": "http://127.0.0.1:1/simple"}


def odd_tree(kit):
    tree = kit.new_folder("odd tree")
    copy_lab(LAB, tree)
    for step, code in ODD.items():
        write_step(LAB, tree, step, code)
    file = tree / LAB.folder / "free_kv_cache_block_queue.cpp"
    file.write_text("#include <cstdlib>\n#include <exception>\n#include <iostream>\n"
                    "static const bool kEarly = (std::cout << \"before main\\n\").good();\n"
                    + file.read_text())
    return tree


@pytest.fixture(scope="module")
def odd_program(kit):
    """It is built before something is fetched, which does not succeed here."""
    built = kit.lab("vllm", "01", "--tree", odd_tree(kit), env=NO_NETWORK)
    built.expect(USAGE, "Fetching vllm-0.22.1, pytest-8.3.5, ", " from 127.0.0.1.",
                 "lab: Cannot reach 127.0.0.1: Connection refused. Check the network and")
    return kit.build / "lab07_stack/lab07_vllm"


@contextmanager
def begun(program):
    """A queue of three blocks has been made."""
    asked = Stack(program)
    assert asked.ask("new_blocks", [0, 1, 2]) == asked.ask("new_queue", 0, 3) == 0
    yield asked
    asked.process.kill()
    asked.process.wait()
    asked.answers.close()
    asked.socket.close()


@pytest.fixture
def asked(odd_program):
    with begun(odd_program) as asked:
        yield asked


def test_what_the_code_prints_is_for_the_user_and_it_gets_no_call(capfd, odd_program):
    with begun(odd_program) as asked:
        assert asked.ask("popleft", 0) == asked.ask("popleft", 0) == 0
    assert capfd.readouterr() == ("", "before main\n" + 2 * "{printed}\nand an error\n")


def test_a_block_of_nobody(asked):
    assert asked.ask("get_all_free_blocks", 0) == [-1]
    with pytest.raises(Broken, match="it gave a block that nobody has made"):
        Blocks(asked.ask).all_at([-1])


@pytest.mark.parametrize("call, sentence", [
    (["remove", 0, 0], "it threw something that is no std::exception"),
    (["append_n", 0, [0]], "it threw std::bad_alloc"),
    (["popleft_n", 0, 1], "popleft_n ended the program, with exit code 0"),
    (["prepend_n", 0, [0]], "prepend_n ended the program, by SIGABRT"),
])
def test_code_that_ends_in_its_own_way(asked, call, sentence):
    with pytest.raises(Broken) as broken:
        asked.ask(*call)
    assert str(broken.value) == sentence


def test_code_that_does_not_end_is_ended_with_all_calls_after_it(asked):
    asked.socket.settimeout(0.5)
    loose = asked.ask("new_blocks", [7])
    with pytest.raises(Broken, match=f"append did not end within {SECONDS} s"):
        asked.ask("append", 0, loose)
    with pytest.raises(Broken, match="append ended the program, by SIGKILL"):
        asked.ask("append", 0, loose)


def test_a_rule_that_is_broken(asked):
    with pytest.raises(Refused, match="I6: append takes a block outside the queue"):
        asked.ask("append", 0, 0)
    assert asked.steps == {"1.4"} and asked.num_calls == 3


def test_a_run_keeps_its_program_when_another_one_is_built(tmp_path):
    program = tmp_path / "lab07_vllm"
    program.write_text("of one tree")
    options = SimpleNamespace(program=str(program), folder=str(tmp_path))
    with runs.own_copy(options) as copy:
        program.write_text("of another tree")
        assert Path(copy).read_text() == "of one tree"
    assert [file.name for file in tmp_path.iterdir()] == ["lab07_vllm"]


def test_files_that_define_too_much_are_the_students(kit):
    tree = kit.new_folder("tree")
    copy_lab(LAB, tree)
    file = tree / LAB.folder / "free_kv_cache_block_queue.cpp"
    file.write_text(file.read_text() + "int main() {}\n")
    kit.lab("vllm", "01", "--tree", tree).expect(
        USAGE, f"lab: the code of {tree} does not link:\n", "definition of `main'")
