"""CUDA on the CPU: NVIDIA's C++ library, from its own headers: results, and bugs at their lines"""

import os
import re
from pathlib import Path

import pytest

from kit import GRADED, NOT_FULL, ROOT

CCCL = Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "include/cccl"

pytestmark = pytest.mark.skipif(not (CCCL / "cuda/std/atomic").is_file(),
                                reason="needs NVIDIA's C++ library")

# Each line: what stands for STORE, LOAD and VALUE, and what is found then.
PASS = """#include <cuda/atomic>
#include <new>
using Flag = cuda::atomic<int, cuda::thread_scope_device>;
__global__ void pass(int* value, Flag* flags, int* out) {
  if (flags[0].fetch_add(1) == 0) {
    *value = 42;
    STORE;
  } else {
    while (LOAD == 0) {}
    *out = *value;
  }
}
int main() {
  int* numbers;
  Flag* flags;
  cudaMalloc(&numbers, 8);
  cudaMallocManaged(&flags, 2 * sizeof(Flag));
  for (int i = 0; i < 2; ++i) new (flags + i) Flag(0);
  pass<<<2, 1>>>(numbers, flags, numbers + 1);
  cudaDeviceSynchronize();
  cudaFree(numbers);
  cudaFree(flags);
}
"""

RELEASE = "flags[1].store(1, cuda::memory_order_release)"
ACQUIRE = "flags[1].load(cuda::memory_order_acquire)"
USES = [
    (RELEASE, ACQUIRE, None),
    ("flags[1].store(1)", "flags[1].load()", None),
    ("flags[1].store(1, cuda::memory_order_relaxed)", ACQUIRE, ("global-race", 10)),
    ("cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device); "
     "flags[1].store(1, cuda::memory_order_relaxed)", ACQUIRE, None),
    ("cuda::atomic_thread_fence(cuda::memory_order_relaxed, cuda::thread_scope_device); "
     "flags[1].store(1, cuda::memory_order_relaxed)", ACQUIRE, ("global-race", 10)),
    ("*reinterpret_cast<int*>(flags + 1) = 1", ACQUIRE, ("global-race", 9)),
    (RELEASE, "flags[2].load()", ("out-of-bounds", 9)),
]


def simt(kit, source, *options):
    file = kit.build / "libcuxx.cu"
    file.write_text(source)
    return kit.lab("simt", file, "--no-profile", *options)


def test_its_atomics_views_and_arrays_have_their_results(kit, compiler):
    outcome = kit.lab("simt", ROOT / "simt/tests/libcuxx.cu", "--compiler", compiler)
    outcome.expect(GRADED, "all as its manual says", "no findings")


@pytest.mark.parametrize("store, load, found", USES)
def test_an_order_of_memory_counts_and_a_bug_has_the_programs_line(kit, store, load, found):
    outcome = simt(kit, PASS.replace("STORE", store).replace("LOAD", load))
    if found is None:
        return outcome.expect(GRADED, "no findings")
    outcome.expect(NOT_FULL)
    kind, line = re.search(r"^([a-z-]+) \([a-z]+\) at \S*libcuxx\.cu:(\d+)", outcome.output,
                           re.MULTILINE).groups()
    assert (kind, int(line)) == found


def test_a_store_needs_no_value_before_it(kit):
    simt(kit, """#include <cuda/atomic>
__global__ void count(int* total) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> n;
  if (threadIdx.x == 0) n.store(0, cuda::memory_order_relaxed);
  if (threadIdx.x == 0) cuda::atomic_ref<int, cuda::thread_scope_device>(*total).store(0);
  __syncthreads();
  ++n;
  __syncthreads();
  if (threadIdx.x == 0) *total = n.load();
}
int main() {
  int* total;
  cudaMalloc(&total, 4);
  count<<<1, 64>>>(total);
  cudaFree(total);
}
""").expect(GRADED, "no findings")


def test_lines_of_a_namespace_cuda_are_the_programs_own(kit):
    simt(kit, """namespace cuda {
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
}
int main() {
  int* x;
  cudaMalloc(&x, 4);
  cuda::fill<<<1, 2>>>(x);
  return cudaDeviceSynchronize();
}
""").expect(NOT_FULL, "libcuxx.cu:2")


def test_a_folder_of_its_headers_may_be_named(kit):
    folder = kit.new_folder("cccl")
    (folder / "headers").symlink_to(CCCL)
    file = kit.build / "named.cu"
    file.write_text(PASS.replace("STORE", RELEASE).replace("LOAD", ACQUIRE))
    kit.lab("simt", file, "-I", folder / "headers", "--no-profile",
            env={"CUDA_HOME": "/nowhere"}).expect(GRADED, "no findings")


def test_a_host_that_crashes_after_a_failed_launch_still_reports(kit):
    outcome = simt(kit, """__global__ void fill(int* x) { x[threadIdx.x] = 1; }
int main() {
  int *x, *late = nullptr;
  cudaMalloc(&x, 4);
  fill<<<1, 2>>>(x);
  cudaDeviceSynchronize();
  cudaMallocManaged(&late, 4);
  *late = 1;
}
""")
    outcome.expect(NOT_FULL, "out-of-bounds (memcheck)", "ended by signal 11")
