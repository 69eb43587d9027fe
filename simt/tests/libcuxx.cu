// NVIDIA's C++ library in kernels: its atomics order what CUDA's do, and its views and arrays have
// no rules of their own. Needs NVIDIA's headers.

#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/std/array>
#include <cuda/std/mdspan>
#include <cuda/std/span>
#include <new>

using DeviceInt = cuda::atomic<int, cuda::thread_scope_device>;
using Matrix = cuda::std::mdspan<float, cuda::std::dextents<int, 2>>;

template <typename T>
T* managed(int n = 1) {
  T* memory;
  cudaMallocManaged(&memory, n * sizeof(T));
  return memory;
}

__global__ void transpose(Matrix in, Matrix out) {
  const int row = threadIdx.y, column = threadIdx.x;
  if (row < in.extent(0) && column < in.extent(1)) out(column, row) = in(row, column);
}

__global__ void histogram(cuda::std::span<const int> values, cuda::std::span<int> bins) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= values.size()) return;
  cuda::std::atomic_ref<int>(bins[values[i]]).fetch_add(1, cuda::std::memory_order_relaxed);
}

__global__ void add(cuda::std::array<float, 4> weights, float* sum, DeviceInt* num_adds) {
  cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(weights[threadIdx.x % 4]);
  ++*num_adds;
}

// The first block that begins passes a value to the second.
__global__ void pass(int* value, DeviceInt* flag, DeviceInt* ticket, int* out) {
  if (ticket->fetch_add(1) == 0) {
    *value = 42;
    flag->store(1, cuda::memory_order_release);
  } else {
    while (flag->load(cuda::memory_order_acquire) == 0) {
    }
    *out = *value;
  }
}

// The last block adds what all have written.
__global__ void sum_of_blocks(int* parts, unsigned* num_done, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ bool is_last;
  if (threadIdx.x == 0) init(&barrier, blockDim.x);
  __syncthreads();
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = blockIdx.x + 1;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> done(*num_done);
    is_last = done.fetch_add(1, cuda::std::memory_order_acq_rel) == gridDim.x - 1;
  }
  barrier.arrive_and_wait();
  if (!is_last || threadIdx.x != 0) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *out += parts[block];
}

int main() {
  float *in = managed<float>(6), *out = managed<float>(6);
  for (int i = 0; i < 6; ++i) in[i] = i;
  transpose<<<1, dim3(4, 4)>>>(Matrix(in, 2, 3), Matrix(out, 3, 2));

  int *values = managed<int>(100), *bins = managed<int>(10);
  for (int i = 0; i < 100; ++i) values[i] = i * i % 10;
  for (int i = 0; i < 10; ++i) bins[i] = 0;
  histogram<<<4, 32>>>({values, 100}, {bins, 10});

  DeviceInt* counters = managed<DeviceInt>(3);
  for (int i = 0; i < 3; ++i) new (counters + i) DeviceInt(0);
  float* sum = managed<float>();
  *sum = 0;
  add<<<2, 32>>>({1, 2, 3, 4}, sum, counters);

  int *passed = managed<int>(2), *parts = managed<int>(5);
  pass<<<2, 1>>>(passed, counters + 1, counters + 2, passed + 1);
  unsigned* num_done = managed<unsigned>();
  *num_done = 0;
  parts[4] = 0;
  sum_of_blocks<<<4, 32>>>(parts, num_done, parts + 4);
  cudaDeviceSynchronize();

  const bool is_right = out[1] == 3 && out[4] == 2 && bins[0] == 10 && bins[6] == 20 &&
                        *sum == 160 && counters[0] == 64 && passed[1] == 42 && parts[4] == 10;
  std::printf("libcu++: %s\n", is_right ? "all as its manual says" : "wrong");
  for (void* memory :
       {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(values),
        static_cast<void*>(bins), static_cast<void*>(counters), static_cast<void*>(sum),
        static_cast<void*>(passed), static_cast<void*>(parts), static_cast<void*>(num_done)})
    cudaFree(memory);
  return is_right ? 0 : 1;
}
