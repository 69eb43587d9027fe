"""CUDA on the CPU: the cause is told first, right programs are right, and every run is the same"""

import re

import pytest

from kit import GRADED, NOT_FULL, USAGE

BARRIER = """__global__ void reverse(int* data) {
  __shared__ int tile[64];
  tile[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
  int* data;
  cudaMalloc(&data, 256);
  cudaMemset(data, 0, 256);
  reverse<<<1, 64>>>(data);
  cudaFree(data);
}
"""

# Each block takes a number and waits for the one before it.
CHAIN = """__global__ void chain(volatile int* flags, int* sums, int* ticket) {
  int mine = atomicAdd(ticket, 1), before = 0;
  if (mine > 0) {
    while (flags[mine - 1] == 0) {}
    __threadfence();
    before = sums[mine - 1];
  }
  sums[mine] = before + 1;
  FENCE
  flags[mine] = 1;
}
int main() {
  int* all;
  cudaMalloc(&all, 68);
  cudaMemset(all, 0, 68);
  chain<<<8, 1>>>(all, all + 8, all + 16);
  cudaFree(all);
}
"""

NEIGHBOR = """__global__ void wait(volatile int* flags) {
  if (blockIdx.x > 0) while (flags[blockIdx.x - 1] == 0) {}
  flags[blockIdx.x] = 1;
}
int main() {
  int* flags;
  cudaMalloc(&flags, 16);
  cudaMemset(flags, 0, 16);
  wait<<<4, 1>>>(flags);
  cudaFree(flags);
}
"""

COOPERATIVE = """__global__ void wait(volatile int* count) {
  atomicAdd(const_cast<int*>(count), 1);
  while (*count < gridDim.x) {}
}
int main() {
  int* count;
  cudaMalloc(&count, 4);
  cudaMemset(count, 0, 4);
  void* arguments[] = {&count};
  cudaLaunchCooperativeKernel((void*)wait, dim3(4), dim3(1), arguments, 0, 0);
  cudaFree(count);
}
"""

# The thread of the host that has no CUDA calls works while the kernel runs.
THREADS = """#include <atomic>
#include <thread>
__global__ void fill(int* out) { out[blockIdx.x * 128 + threadIdx.x] = threadIdx.x; }
void use_cuda() {
  int* out;
  cudaMalloc(&out, 1 << 20);
  fill<<<2048, 128>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
int main() {
  std::atomic<bool> is_done = false;
  static int numbers[1000];
  std::thread worker([&] { WORK });
  use_cuda();
  is_done = true;
  worker.join();
}
"""
COUNTS = "for (int i = 0; !is_done; ++i) numbers[i % 1000] += i;"

SMALLEST = """__global__ void smallest(unsigned* out) { out[0] = umin(threadIdx.x, 7u); }
DECLARED
int main() {
  unsigned* out;
  cudaMalloc(&out, 4);
  smallest<<<1, 1>>>(out);
  cudaFree(out);
}
"""

MAPPED = """#include <cuda_device_runtime_api.h>
__global__ void count(int* sum) { atomicAdd(sum, 1); }
int main() {
  int *sum, *on_device;
  cudaHostAlloc(&sum, 4, cudaHostAllocMapped);
  *sum = 0;
  cudaHostGetDevicePointer(&on_device, sum, 0);
  count<<<1, 32>>>(on_device);
  int early = *sum;
  cudaFreeHost(sum);
  return early - early;
}
"""

# nvcc compiles the call, and the kernel does not run.
POINTER = """template <typename T>
__global__ void fill(T* out) {
  out[threadIdx.x] = 1;
  __syncthreads();
}
__host__ __device__ void choose(void (**kernel)(int*)) { *kernel = fill<int>; }
int main() {
  int* out;
  cudaMalloc(&out, 256);
  void (*kernel)(int*);
  choose(&kernel);
  kernel<<<1, 64>>>(out);
  CALL
  cudaFree(out);
}
"""


@pytest.fixture
def verdict(kit):
    def verdict(source, *more):
        file = kit.build / "verdict.cu"
        file.write_text(source)
        outcome = kit.lab("simt", file, *more, "--no-profile")
        outcome.output = re.sub(r"\n  (?=\S)", " ", outcome.output)  # paragraphs are wrapped
        return outcome
    return verdict


def kinds_of(outcome):
    return re.findall(r"^([a-z-]+) \([a-z]+\) at ", outcome.output, re.MULTILINE)


def test_a_missing_barrier_is_told_before_the_value_that_is_not_there_yet(verdict):
    outcome = verdict(BARRIER)
    outcome.expect(NOT_FULL, "which no thread of this block has written yet",
                   "verdict.cu:3: it is written here, and nothing orders the two")
    assert kinds_of(outcome)[0] == "shared-race"


def test_a_value_that_nobody_writes_is_not_called_early(verdict):
    outcome = verdict(BARRIER.replace("tile[threadIdx.x] =", "int unused ="))
    outcome.expect(NOT_FULL, "which no thread of this block has written")
    outcome.expect_no("written yet")


def test_a_volatile_flag_after_a_fence_orders_blocks(verdict):
    verdict(CHAIN.replace("FENCE", "__threadfence();")).expect(GRADED, "no findings")


def test_a_flag_without_a_fence_is_named(verdict):
    outcome = verdict(CHAIN.replace("FENCE", ""))
    outcome.expect(NOT_FULL, "it sets this flag with no __threadfence() in between")
    assert kinds_of(outcome) == ["global-race"]


def test_a_flag_that_is_not_volatile_is_a_race(verdict):
    outcome = verdict(CHAIN.replace("FENCE", "__threadfence();").replace("volatile ", ""))
    assert "global-race" in kinds_of(outcome)


def test_a_block_that_waits_for_another_one_hears_that_their_order_is_free(verdict):
    verdict(NEIGHBOR).expect(NOT_FULL, "because blocks begin in any order")


def test_a_loop_that_waits_for_blocks_of_a_cooperative_launch_is_told_of_grid_sync(verdict):
    verdict(COOPERATIVE).expect(NOT_FULL, "at grid.sync() and not in a loop, so wait there")


def test_cuda_in_two_threads_is_refused_in_every_run(verdict):
    for _ in range(5):
        verdict(THREADS.replace("WORK", "use_cuda();")).expect(
            USAGE, "this program uses CUDA in two threads of the host")


def test_a_thread_without_cuda_may_work_beside_a_kernel(verdict):
    verdict(THREADS.replace("WORK", COUNTS)).expect(GRADED, "no findings")


def test_a_function_of_the_host_may_have_the_name_of_one_of_cudas(kit, verdict):
    other = kit.build / "other.cpp"
    other.write_text("static unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }\n"
                     "unsigned least(unsigned a, unsigned b) { return umin(a, b); }\n")
    verdict(SMALLEST.replace("DECLARED", ""), other).expect(GRADED, "no findings")


def test_a_function_of_another_source_is_still_the_hosts(kit, verdict):
    other = kit.build / "other.cpp"
    other.write_text("unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }\n")
    source = "unsigned least(unsigned, unsigned);\n" + SMALLEST.replace("umin", "least")
    outcome = verdict(source.replace("DECLARED", ""), other)
    outcome.expect(NOT_FULL, "device code calls 'least', a function of the host")


def test_mapped_memory_is_not_called_managed(verdict):
    verdict(MAPPED).expect(NOT_FULL, "host code reads mapped memory that a kernel writes")


def test_a_kernel_that_is_called_like_a_function_did_not_run(verdict, compiler):
    verdict(POINTER.replace("CALL", ""), "--compiler", compiler).expect(GRADED, "no findings")
    outcome = verdict(POINTER.replace("CALL", "kernel(out);"), "--compiler", compiler)
    outcome.expect(NOT_FULL, "bad-launch (launch) at", "verdict.cu:13",
                   "fill<int> is called like a function")
    assert kinds_of(outcome) == ["bad-launch"]
