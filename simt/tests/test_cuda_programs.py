"""CUDA on the CPU: programs have CUDA's results, and wrong use is refused"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from kit import BROKEN, GRADED, NOT_FULL, ROOT, USAGE, need

PROGRAMS = ROOT / "simt/tests"

# Programs that compare what they compute, and what they say at the end.
LAST_WORDS = {
    "semantics.cu": "all as the guide says",
    "launches.cu": "all have run",
    "host_api.cu": "all as the manual says",
    "elsewhere.cu": "all as nvcc has it",
    "intrinsics.cu": "all as the guide says",
    "host_memory.cu": "all as the manual says",
    "groups.cu": "all as the guide says",
    "async_copies.cu": "all as the guide says",
    "tensor_cores.cu": "all as the guide says",
    "inline_ptx.cu": "all as the manual of PTX says",
    "numbered_barriers.cu": "all as the manual of PTX says",
    "matrix_instructions.cu": "all as the manual of PTX says",
    "rounded_math.cu": "all as the manual says",
    "unwritten.cu": "step 6.1: copy_blocks is not written yet",
}

FINE = "int main(int argc, char**) { return argc - 1; }\n"
NO_KERNEL = "void f(int) {}\nint main() { f << <1, 1>> >(2); }\n"

# A source, the options, and what has to come of it.
USES = [
    (FINE, [], GRADED, "no findings"),
    (FINE, ["--", "two", "words"], NOT_FULL, "ended with exit code 2"),
    (FINE, ["--schedule", "random"], USAGE, "--schedule"),
    (FINE, ["--compiler", "nvc++"], USAGE, 'no compiler "nvc++"'),
    (FINE, ["--json", "/dev/full"], BROKEN, "the disk is full"),
    ("int main() { return missing; }\n", [], USAGE, "does not compile"),
    ("void unused();\n", [], USAGE, "to call one of its functions: --call"),
    ("void lost();\nint main() { lost(); }\n", [], USAGE,
     "wrong.cu:2: nothing here defines lost(); if it is in another file, name that file, too"),
    ("int main() { kernel<<<1, 1; }\n", [], USAGE, "wrong.cu:1: this <<< has no >>>"),
    (NO_KERNEL, [], NOT_FULL, "'f' is launched with <<<>>> and is no kernel"),
    ("int main() { abort(); }\n", [], NOT_FULL, "ended by signal 6"),
]


def simt(kit, source, *options):
    file = kit.build / "wrong.cu"
    file.write_text(source)
    return kit.lab("simt", file, *options)


def test_the_variable_cxx_may_be_a_compiler_and_its_options(kit):
    file = kit.build / "options.cu"
    file.write_text("int main() { return KV_SEEN - 7; }\n")
    outcome = kit.lab("simt", file, env={"CXX": "g++  -DKV_SEEN=7 -O1"})
    outcome.expect(GRADED, "no findings")


@pytest.mark.parametrize("file", LAST_WORDS)
def test_a_program_has_cudas_results(kit, compiler, file):
    outcome = kit.lab("simt", PROGRAMS / file, "--compiler", compiler)
    outcome.expect(GRADED, LAST_WORDS[file])


def places_of_comments(folder):
    """The lines that end with "// finding 1" and so on, by number: ["main.cu:13", ...]."""
    places = {}
    for name in ["main.cu", "kernels.cu", "include/pairs.cuh"]:
        file = folder / name
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if comment := re.search(r"// finding (\d)$", line):
                places[comment[1]] = f"{file.name}:{number}"
    return [places[number] for number in sorted(places)]


def test_two_sources_have_findings_in_order_from_both_compilers(kit):
    need("clang++")
    folder, report = PROGRAMS / "two_sources", kit.build / "two_sources.json"
    sources = [folder / "main.cu", folder / "kernels.cu"]
    options = ["-I", folder / "include", "-D", "THREADS=8", "-std=gnu++20", "--json", report]
    outcome = kit.lab("simt", *sources, *options, env={"CXX": "g++"})
    outcome.expect(NOT_FULL, "checked with g++ and clang++")

    findings = json.loads(report.read_text())["findings"]
    found = [f"{Path(finding['file']).name}:{finding['line']}" for finding in findings]
    assert found == places_of_comments(folder) != []
    assert findings[-1]["runs"] == ["clang++"]


# A store to the wrong element, of what a function returns. g++ alone sees some of them.
STRUCTS = {
    "struct": ("struct Pair { int a, b; };", "Pair", "Pair{1, 2}"),
    "class": ("template <class T> class Pair { public: T a, b; };", "Pair<int>", "Pair<int>{1, 2}"),
    "union": ("union Bits { int i; float f; };", "Bits", "Bits{1}"),
    "a vector": ("", "float4", "float4{1, 2, 3, 4}"),
    "by another name": ("using Four = int4;", "Four", "Four{1, 2, 3, 4}"),
    "std::pair": ("#include <utility>", "std::pair<int, int>", "{1, 2}"),
    "half": ("#include <cuda_fp16.h>", "__half2", "__half2half2(__half(1.0f))"),
}


@pytest.mark.parametrize("kind", STRUCTS)
def test_a_wrong_store_of_a_struct_is_found(kit, kind):
    need("clang++")
    before, type_name, value = STRUCTS[kind]
    outcome = simt(kit, f"""{before}
__device__ {type_name} value_of() {{ return {value}; }}
__global__ void fill({type_name}* x) {{ x[threadIdx.x + 1] = value_of(); }}
int main() {{
  {type_name}* x;
  cudaMalloc(&x, 32 * sizeof({type_name}));
  fill<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}}
""")
    outcome.expect(NOT_FULL, "out-of-bounds", "clang++")


@pytest.mark.parametrize("options, last_line", [
    ([], "checked with g++\n"), (["-D", "X=1"], "checked with g++ and clang++\n")])
def test_the_second_compiler_checks_what_the_first_may_miss(kit, options, last_line):
    need("clang++")
    outcome = simt(kit, "__global__ void fill(int* x) { x[0] = 1; }\nint main() {}\n", *options)
    assert outcome.output.endswith(last_line)


def test_the_name_of_a_kernel_ends_before_its_parameters_with_parentheses(kit):
    outcome = simt(kit, "__global__ void fill(float (*rows)[4]) { rows[1][0] = 1; }\n"
                        "int main() { fill<<<1, 1>>>(nullptr); }\n")
    outcome.expect(NOT_FULL, "of fill\n")


READS = """#include <cstdio>
__global__ void fill(int* out, int n) { if (threadIdx.x < n) out[threadIdx.x] = n; }
int main() {
  int n = -1, *out, last = 0;
  if (scanf("%d", &n) != 1) return 3;
  cudaMalloc(&out, 4 * n);
  fill<<<1, 64>>>(out, n);
  cudaMemcpy(&last, out + n - 1, 4, cudaMemcpyDeviceToHost);
  printf("it read %d\\n", last);
  cudaFree(out);
}
"""


def test_a_program_reads_its_input_in_each_run(kit):
    file = kit.build / "reads.cu"
    file.write_text(READS)
    kit.lab("simt", file, stdin="42\n").expect(GRADED, "it read 42", "no findings")


def test_channels_that_are_called_cin_are_no_input(kit):
    file = kit.build / "channels.cu"
    file.write_text("__global__ void conv(float* out, int cin) { *out = cin; }\n"
                    "int main() { float* out; cudaMalloc(&out, 4); conv<<<1, 1>>>(out, 3);\n"
                    "  cudaFree(out); }\n")
    folders = {"LAB_ROOT": str(kit.root), "LAB_BUILD_DIR": str(kit.build)}
    with subprocess.Popen([kit.program, "simt", file], stdin=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, env={**os.environ, **folders}) as process:
        assert process.wait(timeout=120) == GRADED  # an input that never ends is not waited for


def test_a_source_beside_it_that_defines_what_is_missing_is_named(kit):
    folder = kit.new_folder("two_files")
    (folder / "main.cu").write_text("int twice(int);\nint main() { return twice(0); }\n")
    (folder / "other.cu").write_text("int twice(int n) { return 2 * n; }\n")
    outcome = kit.lab("simt", folder / "main.cu")
    outcome.expect(USAGE, "main.cu:2: nothing here defines twice(int); it is in other.cu: name that"
                          " file, too")
    kit.lab("simt", folder / "main.cu", folder / "other.cu").expect(GRADED, "no findings")


def test_the_output_of_a_program_gets_its_last_newline(kit):
    simt(kit, 'int main() { printf("the end"); }\n').expect(GRADED, "the end\n")


@pytest.mark.parametrize("source, options, exit_code, says", USES, ids=[use[-1] for use in USES])
def test_wrong_use_is_answered_in_one_sentence(kit, source, options, exit_code, says):
    simt(kit, source, *options).expect(exit_code, says)


def test_a_file_that_is_not_there_is_refused(kit):
    kit.lab("simt", "/nowhere.cu").expect(USAGE, 'no file "/nowhere.cu"')
