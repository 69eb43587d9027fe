"""CUDA on the CPU: --call makes a program of a file without a main function"""

import pytest

from kit import GRADED, NOT_FULL, USAGE

# Sites with exercises have such functions, which get arrays on the device.
SOLUTION = """
#include <cuda_fp16.h>
__global__ void scale(const float* in, float* out, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by * in[i] + 1.0f;
}
__global__ void twice(half* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] + x[i];
}
extern "C" void solve(const float* in, float* out, int n) {
  scale<<<(n + 255) / 256, 256>>>(in, out, 0.0f, n);
  cudaDeviceSynchronize();
}
"""


@pytest.fixture
def call(kit):
    def outcome_of(text, source=SOLUTION):
        file = kit.new_folder("called") / "solution.cu"
        file.write_text(source)
        return kit.lab("simt", file, "--call", text, "--no-profile")
    return outcome_of


@pytest.mark.parametrize("text", [
    "solve(float[1000], float[1000], 1000)",
    "solve(const float*[1 << 10], float*[1 << 10], 1 << 10)",
    "scale<<<4, 256>>>(float[1000], float[1000], 0.5f - (0.25f + 0.25f), 1000)"])
def test_a_function_or_a_kernel_is_called(call, text):
    outcome = call(text)
    outcome.expect(GRADED, "argument 2 is now 1 1 1 1 1 1 1 1 ...\n", "no findings")
    assert "argument 1 " not in outcome.output


def test_an_array_has_any_type(call):
    call("twice<<<1, 32>>>(half[2], 2)").expect(GRADED, "argument 1 is now -1.66016 -1.04004\n")


def test_findings_are_at_the_lines_of_the_file(call):
    outcome = call("solve(float[900], float[1000], 1000)")
    outcome.expect(NOT_FULL, "out-of-bounds (memcheck) at ", "solution.cu:5",
                   "the call has failed: an illegal memory access was encountered")


@pytest.mark.parametrize("text, words", [
    ("solve", "is no call: write it as"),
    ("(float[3])", "is no call: write it as"),
    ("solve(float[3]))", "is no call: write it as"),
    ("solve(float[3], 3)", 'lab: --call "solve(float[3], 3)" does not compile:\n--call:1:'),
    ("unsolved(float[3], 3)", "unsolved")])
def test_a_wrong_call_is_refused(call, text, words):
    call(text).expect(USAGE, words)


def test_a_file_with_a_main_function_is_refused(call):
    call("solve(float[3], float[3], 3)", SOLUTION + "int main() {}\n").expect(
        USAGE, "has a main function: run it without --call")
