"""the specifiers and attributes of a declaration in every order that nvcc takes"""

import itertools
import re

import pytest

from kit import GRADED, need, run

# Some of these, in any order. Those of C++ may be first, last, or after a leading keyword
# of CUDA, which is an attribute for nvcc.
OF_CUDA = ["__align__(16)", "volatile"]
OF_KERNELS = ["static", "inline", "__noinline__", "__launch_bounds__(64)"]
OF_CPP = ["alignas(16)", "[[maybe_unused]]"]


def orders(words, extras, of_cpp, most):
    for count in range(most + 1):
        for extra in itertools.combinations(extras, count):
            for order in itertools.permutations(words + list(extra)):
                yield order
                for attribute in of_cpp:
                    yield (attribute,) + order
                    yield order + (attribute,)
                    if order[0] in ("__shared__", "__global__"):
                        yield order[:1] + (attribute,) + order[1:]


def arrays(most):
    for order in orders(["__shared__", "int"], OF_CUDA + ["static"], OF_CPP, most):
        yield " ".join(order) + " a[64];"


def dynamic_arrays(most):
    words = ["extern", "__shared__", "int"]
    for number, order in enumerate(orders(words, OF_CUDA, OF_CPP, most)):
        yield " ".join(order) + f" a{number}[]; int* a = const_cast<int*>(a{number});"


def program(most):
    lines = ["#include <cuda_runtime.h>"]
    for declaration in itertools.chain(arrays(most), dynamic_arrays(most)):
        lines.append(f"__global__ void k{len(lines)}(int* out) {{ {declaration} "
                     f"a[threadIdx.x] = 1; out[threadIdx.x] = a[threadIdx.x]; }}")
    for order in orders(["__global__", "void"], OF_KERNELS, ["[[maybe_unused]]"], most):
        lines.append(f"{' '.join(order)} k{len(lines)}(int* out) {{ extern __shared__ int a[]; "
                     f"a[threadIdx.x] = 1; out[threadIdx.x] = a[threadIdx.x]; }}")
    launches = [f"  k{number}<<<1, 32, 256>>>(out);" for number in range(1, len(lines))]
    main = ["int main() {", "  int* out;", "  cudaMalloc(&out, 128);", *launches,
            "  cudaFree(out);", "}"]
    return "\n".join(lines + main) + "\n"


def source(kit, most):
    file = kit.build / "declarations.cu"
    file.write_text(program(most))
    return file


def expect_clean(kit, compiler, most):
    outcome = kit.lab("simt", source(kit, most), "--no-profile", "--compiler", compiler)
    outcome.expect(GRADED, "no findings")


def test_with_one_more_they_compile_and_run(kit):
    expect_clean(kit, "g++", 1)


@pytest.mark.full
def test_with_two_more_they_compile_and_run(kit, compiler):
    expect_clean(kit, compiler, 2)


@pytest.mark.full
def test_nvcc_takes_all_of_them(kit):
    need("nvcc")
    file = source(kit, 2)
    outcome = run(["nvcc", "-std=c++20", "-arch=sm_90", "-c", "-o", "/dev/null", file])
    wrong = re.findall(r"declarations\.cu\((\d+)\): error", outcome.output)
    lines = file.read_text().splitlines()
    assert [lines[int(number) - 1] for number in wrong][:5] == []
    outcome.expect(GRADED)
