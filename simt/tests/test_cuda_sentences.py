"""CUDA on the CPU: a report explains its numbers, and says one thing once"""

import re

import pytest

from kit import GRADED, NOT_FULL

UNWRITTEN_INDEX = """__global__ void scatter(const int* index, int* out) {
  USE
}
int main() {
  int *index, *out, *other;
  cudaMalloc(&other, 1 << 20);
  cudaMalloc(&out, 64);
  cudaMalloc(&index, 4);
  scatter<<<1, 1, 64>>>(index, out);
  cudaFree(index);
  cudaFree(out);
  cudaFree(other);
}
"""

SAME_VALUES = """__global__ void clear(int* out) {
  out[0] = 0;
  out[1] = 1;
  out[2] = 2;
  if (threadIdx.x < 32) out[3] = 3;
}
int main() {
  int* out;
  cudaMalloc(&out, 16);
  clear<<<1, 64>>>(out);
  cudaFree(out);
}
"""

SHIFT = """__global__ void shift(int* data) { data[threadIdx.x] = data[threadIdx.x + 1]; }
int main() {
  int* data;
  cudaMalloc(&data, 260);
  cudaMemset(data, 0, 260);
  cudaMemset(data, 1, 100);
  shift<<<1, 64>>>(data);
  cudaFree(data);
}
"""

COPY = """__global__ void copy(const int* in, int* out) {
  BEFORE
  out[threadIdx.x] = in[threadIdx.x];
}
int main() {
  int* data;
  cudaMalloc(&data, 256);
  cudaMemset(data, 0, 256);
  copy<<<1, 32>>>(data, data + 32);
  cudaFree(data);
}
"""


@pytest.fixture
def report(kit):
    def report(source, *options):
        file = kit.build / "sentences.cu"
        file.write_text(source)
        outcome = kit.lab("simt", file, *options)
        outcome.output = re.sub(r"\n  (?=\S)", " ", outcome.output)  # paragraphs are wrapped
        return outcome
    return report


@pytest.mark.parametrize("use, says", [
    ("out[*index] = 1;",
     "at element -655371 of 4 bytes (that number is the pattern of memory that nothing has "
     "written) of allocation 2"),
    ("extern __shared__ int tile[]; tile[*index] = 1;",
     "at element -655371 of 4 bytes (that number is the pattern of memory that nothing has "
     "written) of dynamic shared memory"),
    ("int local[4] = {}; *out = local[*index];",
     "which is the pattern of memory that nothing has written")])
def test_an_index_that_was_never_written_is_explained(report, use, says):
    report(UNWRITTEN_INDEX.replace("USE", use), "--no-profile").expect(NOT_FULL, says)


def test_notes_that_say_the_same_are_one_with_all_lines(report):
    outcome = report(SAME_VALUES, "--no-profile")
    outcome.expect(GRADED, "4 notes, no bugs")
    assert len(re.findall(r"^same-value \(", outcome.output, re.MULTILINE)) == 1
    assert len(re.findall(r" and at \S+sentences\.cu:\d", outcome.output)) == 3


def test_what_one_order_of_threads_shows_is_said_in_words(report):
    report(SHIFT, "--no-profile").expect(
        NOT_FULL, "Only the second one shows this. A GPU has no fixed order")


WORDS = ["moved counts whole sectors each time", "passes over the 32 banks of shared memory"]


@pytest.mark.parametrize("before, words", [
    ("", WORDS[:1]),
    ("__shared__ int tile[32]; tile[threadIdx.x] = 1; __syncthreads(); "
     "out[threadIdx.x] = tile[31 - threadIdx.x];", WORDS)])
def test_the_words_of_a_profile_are_explained_once_where_they_stand(report, before, words):
    text = report(COPY.replace("BEFORE", before)).output
    assert [word for word in WORDS if text.count(word) == 1] == words
