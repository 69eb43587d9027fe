"""nvcc: the kernels of the solution and of the alternatives have no warnings and no spills"""

import functools
import re

import pytest

from kit import ROOT, labs, need, run

PAGE = ROOT / "docs/dev/nvcc.md"
ARCHITECTURES = ["sm_80", "sm_90"]

SPILLS = """__global__ void __launch_bounds__(1024, 2) kernel(float* a, int n) {
  float v[64];
  for (int i = 0; i < 64; ++i) v[i] = a[i * n];
  __syncthreads();
  for (int i = 0; i < 64; ++i) a[i] = v[63 - i] * v[i * 7 % 64];
}
"""


def cuda_files(folder):
    files = [file for lab in labs() for file in (ROOT / folder / lab.folder).rglob("*.cu")]
    return sorted(str(file.relative_to(ROOT)) for file in files)


SOLUTION = cuda_files("solution")
ALTERNATIVES = [file for file in cuda_files("grader/proof/cases") if "/alternatives/" in file]


@pytest.fixture(scope="module")
def compiled(kit):
    """Compiles a file once, for each GPU. Why a fatbin: no code of the host is needed."""
    need("nvcc")
    includes = [f"-I{ROOT / 'solution' / lab.folder}" for lab in labs()]
    targets = [f"-gencode=arch={name.replace('sm', 'compute')},code={name}"
               for name in ARCHITECTURES]

    @functools.cache
    def compile_file(file):
        return run(["nvcc", "-std=c++20", "-fatbin", "-Werror", "all-warnings", "-Xptxas", "-v",
                    *targets, f"-I{ROOT / 'labs'}", *includes, ROOT / file,
                    "-o", kit.build / "kernels.fatbin"])
    return compile_file


def kernels_in(output):
    """What `ptxas -v` says of each kernel and GPU: its registers, spilled and shared bytes. Spills
    of a function that is not inlined count for the kernel above it."""
    kernels = []
    for line in output.splitlines():
        if entry := re.search(r"Compiling entry function '(.*)' for '(.*)'", line):
            kernels.append({"symbol": entry[1], "gpu": entry[2], "spilled": 0, "shared": 0})
        elif spills := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            kernels[-1]["spilled"] += int(spills[1]) + int(spills[2])
        elif used := re.search(r"Used (\d+) registers", line):
            shared = re.search(r"(\d+) bytes smem", line)
            kernels[-1].update(registers=used[1], shared=shared[1] if shared else 0)
    return kernels


def spilling_kernels(output):
    return [kernel for kernel in kernels_in(output) if kernel["spilled"]]


@pytest.mark.parametrize("file", SOLUTION + ALTERNATIVES)
def test_a_file_has_no_warnings_and_no_spills(compiled, file):
    outcome = compiled(file)
    outcome.expect(0)
    assert kernels_in(outcome.output) and spilling_kernels(outcome.output) == []


def names_of(symbols):
    """The name of "void kv::load<float, 4>(float const*)" is "load<float, 4>"."""
    names = run(["c++filt"], stdin="\n".join(symbols)).output.splitlines()
    return [re.sub(r"^(void )?(kv::)?|\(.*", "", name) for name in names]


def table_of(kernels):
    """A row for each kernel, three columns for each GPU."""
    rows = {}
    for name, kernel in zip(names_of(kernel["symbol"] for kernel in kernels), kernels):
        cells = f" {kernel['registers']} | {kernel['spilled']} | {kernel['shared']} |"
        rows[name] = rows.get(name, f"| `{name}` |") + cells
    columns = " ".join(f"{gpu}: registers | spilled | shared |" for gpu in ARCHITECTURES)
    return "\n".join([f"| kernel | {columns}", "|---" * 7 + "|",
                      *(rows[name] for name in sorted(rows)), ""])


def test_the_page_has_the_table_of_the_solution(compiled):
    """Another version of nvcc chooses other registers, so the page names the one it is of."""
    kernels = [kernel for file in SOLUTION for kernel in kernels_in(compiled(file).output)]
    table, page = table_of(kernels), PAGE.read_text()
    version = re.search(r"V([\d.]+)", run(["nvcc", "--version"]).output)[1]
    assert f"nvcc {version} " not in page or table in page, f"the table is now\n{table}"


def test_a_planted_warning_is_found(kit, compiled):
    file = kit.build / "warning.cu"
    file.write_text("__global__ void kernel() {\n  int unused;\n}\n")
    outcome = compiled(file)
    assert outcome.exit_code != 0 and "warning.cu(2): " in outcome.output


def test_a_planted_spill_is_found(kit, compiled):
    file = kit.build / "spill.cu"
    file.write_text(SPILLS)
    assert "sm_90" in {kernel["gpu"] for kernel in spilling_kernels(compiled(file).output)}
