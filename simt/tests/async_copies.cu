// Asynchronous copies from device to shared memory, in the four ways that CUDA has, and
// cuda::barrier.

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int kThreads = 64;
constexpr int kTiles = 5;

// Two buffers in turns: while one tile is summed, the next one is on its way.
__global__ void double_buffer(const float4* in, float* out) {
  __shared__ float4 buffers[2][kThreads];
  const int t = threadIdx.x;
  float sum = 0;
  __pipeline_memcpy_async(&buffers[0][t], &in[t], sizeof(float4));
  __pipeline_commit();
  for (int tile = 0; tile < kTiles; ++tile) {
    if (tile + 1 < kTiles) {
      __pipeline_memcpy_async(&buffers[(tile + 1) % 2][t], &in[(tile + 1) * kThreads + t],
                              sizeof(float4));
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const float4 other = buffers[tile % 2][kThreads - 1 - t];
    sum += other.x + other.y + other.z + other.w;
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void zero_fill(const int* in, int* out, int n) {
  __shared__ int4 tile[kThreads];
  const int t = threadIdx.x;
  const int num_valid = max(0, min(4, n - 4 * t));
  __pipeline_memcpy_async(&tile[t], num_valid > 0 ? in + 4 * t : in, 16, 16 - 4 * num_valid);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = tile[t].x + tile[t].w;
}

__global__ void copy_of_a_group(const int* in, int* out) {
  __shared__ int tile[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof(int) * kThreads);
  cg::wait(block);
  out[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
}

__global__ void copy_with_a_barrier(const int* in, int* out) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int tile[kThreads], sums[kThreads];
  const cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  for (int round = 0; round < 3; ++round) {
    cuda::memcpy_async(block, tile, in + round * kThreads, sizeof(int) * kThreads, barrier);
    barrier.arrive_and_wait();
    sums[threadIdx.x] = tile[kThreads - 1 - threadIdx.x];
    auto token = barrier.arrive();
    barrier.wait(std::move(token));
  }
  out[threadIdx.x] = sums[threadIdx.x];
}

__global__ void copy_in_stages(const int* in, int* out) {
  __shared__ int stages[2][kThreads];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  int sum = 0;
  for (int next = 0, tile = 0; tile < kTiles; ++tile) {
    for (; next < kTiles && next < tile + 2; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stages[next % 2][t], in + next * kThreads + t, sizeof(int), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += stages[tile % 2][t];
    pipe.consumer_release();
  }
  out[t] = sum;
}

__global__ void stages_of_a_block(const int* in, int* out) {
  __shared__ int stages[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int next = 0, tile = 0; tile < kTiles; ++tile) {
    for (; next < kTiles && next < tile + 2; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stages[next % 2], in + next * kThreads, sizeof(int) * kThreads,
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += stages[tile % 2][kThreads - 1 - threadIdx.x];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int num_wrong = 0;
void expect(const char* what, double actual, double expected) {
  if (actual == expected) return;
  ++num_wrong;
  std::printf("%s: %g, not %g\n", what, actual, expected);
}

using Kernel = void (*)(const int*, int*);

int main() {
  int host[kTiles * kThreads], *in, *out, result[kThreads];
  for (int i = 0; i < kTiles * kThreads; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof result);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  struct {
    const char* what;
    Kernel kernel;
    int expected;
  } const cases[] = {{"a copy of a group", copy_of_a_group, 60},
                     {"a copy with a barrier", copy_with_a_barrier, 128 + 60},
                     {"stages of a thread", copy_in_stages, 5 * 3 + 10 * 64},
                     {"stages of a block", stages_of_a_block, 5 * 60 + 10 * 64}};
  for (const auto& each : cases) {
    each.kernel<<<1, kThreads>>>(in, out);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    expect(each.what, result[3], each.expected);
  }
  zero_fill<<<1, kThreads>>>(in, out, 14);
  cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
  expect("zero fill, a whole vector", result[2], 8 + 11);
  expect("zero fill, two of four", result[3], 12);
  expect("zero fill, nothing", result[4], 0);
  float4 vectors[kTiles * kThreads], *floats;
  float *sums, sum[kThreads];
  for (int i = 0; i < kTiles * kThreads; ++i) vectors[i] = make_float4(i, 1, 0, 0);
  cudaMalloc(&floats, sizeof vectors);
  cudaMalloc(&sums, sizeof sum);
  cudaMemcpy(floats, vectors, sizeof vectors, cudaMemcpyHostToDevice);
  double_buffer<<<1, kThreads>>>(floats, sums);
  cudaMemcpy(sum, sums, sizeof sum, cudaMemcpyDeviceToHost);
  expect("two buffers", sum[3], 5 * 60 + 10 * 64 + 5);
  cudaFree(floats);
  cudaFree(sums);
  cudaFree(in);
  cudaFree(out);
  std::printf("async copies: %s\n", num_wrong == 0 ? "all as the guide says" : "wrong");
  return num_wrong;
}
