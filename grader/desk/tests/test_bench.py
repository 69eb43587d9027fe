"""./lab bench: each kind of row; no time is tested, only that there are some"""

import pytest

from kit import GRADED, USAGE, lab_of, replace_in, solve_up_to, write_step


def bench(kit, lab, tree, *words):
    return kit.lab("bench", lab.id, "--tree", tree, *words)


def first_line(text, begin):
    return next((line for line in text.splitlines() if line.startswith(begin)), "")


@pytest.fixture(scope="module")
def half_written(kit):
    """Steps up to 5.4 are the solution's. After them: a crash, a stub for one type of number, and a
    body that does nothing for the other type."""
    lab = lab_of("05")
    tree = kit.new_folder("half written")
    solve_up_to(lab, "5.4", tree)
    write_step(lab, tree, "5.9", "__builtin_trap();")
    write_step(lab, tree, "5.13", 'if (part < sizeof(Stored) / 4) KV_TODO("5.13 read_part");')
    return tree


@pytest.fixture(scope="module")
def measured(kit, half_written):
    options = ["--rounds", "1", "--", "--batch", "1", "--length", "64"]
    outcome = bench(kit, lab_of("05"), half_written, *options)
    if "libbenchmark-dev" in outcome.output:
        pytest.skip("needs Google Benchmark")
    outcome.expect(GRADED)
    return outcome.output


@pytest.mark.full
@pytest.mark.parametrize("number, row, sentence", [
    ("fp32", "two passes (5.4)", " %"),
    ("fp32", "streaming (5.9)", "crash: "),
    ("fp32", "tiles (5.13)", "not written: 5.13 read_part"),
    ("bf16", "tiles (5.13)", "wrong result; see ./lab grade 05"),
])
def test_a_half_written_tree_is_measured(measured, number, row, sentence):
    tables = [table for table in measured.split("\n\n") if table.startswith(number)]
    assert sentence in first_line("\n".join(tables), "  " + row), measured


@pytest.mark.full
def test_an_option_that_the_bench_does_not_have_is_refused(kit, half_written):
    bench(kit, lab_of("05"), half_written, "--", "--fast").expect(
        USAGE, "does not accept these options")


@pytest.fixture(scope="module")
def traffic(kit):
    """What is counted in a tree up to 6.8, whose warp kernel writes outside of its array."""
    lab = lab_of("06")
    tree = kit.new_folder("half written CUDA")
    solve_up_to(lab, "6.8", tree)
    write_step(lab, tree, "6.11", "p.out[-1] = p.query[0];")
    outcome = bench(kit, lab, tree)
    outcome.expect(GRADED)
    return outcome.output


@pytest.mark.parametrize("kernel, sentence", [
    ("paged_attention_v1", "3.8 x"),
    ("paged_attention_warp", "out-of-bounds in line "),
    ("paged_attention_group", "not written: 6.1"),
])
def test_the_traffic_of_a_half_written_tree_is_counted(traffic, kernel, sentence):
    _, solution, yours, *_ = traffic.partition("\n" + kernel)[2].splitlines()
    assert solution.startswith("  solution") and sentence in yours, traffic


def test_the_table_of_traffic_has_the_row_of_a_gpu(traffic):
    assert "bandwidth on a GPU: " in traffic


@pytest.mark.full
def test_the_steps_of_a_slower_scheduler_are_counted(kit):
    """It admits one request in a step: the numbers are the same on every machine."""
    lab = lab_of("07")
    tree = kit.new_folder("slow scheduler")
    solve_up_to(lab, lab.steps[-1]["step"], tree)
    admits_many = "while (!waiting_.empty() && step.token_budget > 0"
    admits_one = admits_many.replace("while", "if")
    replace_in(tree / lab.folder / "scheduler.cpp", admits_many, admits_one)
    outcome = bench(kit, lab, tree, "--rounds", "1")
    outcome.expect(GRADED)
    _, _, rows = outcome.output.partition("plenty of blocks")
    assert " 33 " in first_line(rows, "    solution"), outcome.output
    assert " 47 " in first_line(rows, "    yours"), outcome.output
