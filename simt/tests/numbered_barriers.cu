// bar.sync and bar.arrive with numbers: halves of a block that wait for each other, and warps that
// produce for others. nvcc compiles this file too.

#include <cstdio>

constexpr int kThreads = 128, kHalf = 64, kRounds = 6;

__device__ void wait(int number, int num_threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(num_threads) : "memory");
}
__device__ void arrive(int number, int num_threads) {
  asm volatile("barrier.cta.arrive %0, %1;" ::"r"(number), "r"(num_threads) : "memory");
}

// Each half turns its own numbers around; the whole block then adds both.
__global__ void halves(int* out) {
  __shared__ int values[2][kHalf];
  const int half = threadIdx.x / kHalf, place = threadIdx.x % kHalf;
  values[half][place] = threadIdx.x;
  wait(1 + half, kHalf);
  const int other = values[half][kHalf - 1 - place];
  wait(1 + half, kHalf);
  values[half][place] = other;
  asm volatile("bar.sync 0;" ::: "memory");
  out[threadIdx.x] = values[0][place] + values[1][place];
}

// Two warps fill a buffer, two read it: one barrier says that it is full, one that it is empty.
__global__ void producers(int* out) {
  __shared__ int buffer[kHalf];
  constexpr int kFull = 3, kEmpty = 4;
  const int place = threadIdx.x % kHalf;
  int sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    if (threadIdx.x < kHalf) {
      if (round > 0) wait(kEmpty, kThreads);
      buffer[place] = round * kHalf + place;
      arrive(kFull, kThreads);
    } else {
      wait(kFull, kThreads);
      sum += buffer[kHalf - 1 - place];
      if (round + 1 < kRounds) arrive(kEmpty, kThreads);
    }
  }
  out[threadIdx.x] = sum;
}

// A warp with lanes that have returned is whole without them.
__global__ void some_return(int* out, int n) {
  __shared__ int total;
  if (threadIdx.x >= n) return;
  if (threadIdx.x == 0) total = 0;
  wait(5, kHalf);
  atomicAdd(&total, 1);
  wait(5, kHalf);
  out[threadIdx.x] = total;
}

int main() {
  int *out, found[kThreads];
  bool is_right = true;
  cudaMalloc(&out, sizeof found);
  halves<<<1, kThreads>>>(out);
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kThreads; ++i) {
    const int place = kHalf - 1 - i % kHalf;
    is_right &= found[i] == place + kHalf + place;
  }
  producers<<<1, kThreads>>>(out);
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = kHalf; i < kThreads; ++i) {
    const int place = kHalf - 1 - i % kHalf, rounds = kRounds * (kRounds - 1) / 2;
    is_right &= found[i] == rounds * kHalf + kRounds * place;
  }
  some_return<<<1, kHalf>>>(out, 50);
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 50; ++i) is_right &= found[i] == 50;
  is_right &= cudaDeviceSynchronize() == cudaSuccess;
  std::puts(is_right ? "all as the manual of PTX says" : "wrong");
  cudaFree(out);
  return is_right ? 0 : 1;
}
