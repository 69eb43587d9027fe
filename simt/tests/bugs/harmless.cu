// Correct programs that look wrong: accesses that nothing orders, barriers that some threads do not
// reach because they have returned. Notes say why that does no harm.

#include "run_bugs.h"

__global__ void sum_warps(const float* in, float* out) {
  __shared__ float sums[4];
  float sum = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  sums[threadIdx.x / 32] = sum;  // notes: same-value
  __syncthreads();
  *out = sums[0] + sums[1] + sums[2] + sums[3];  // notes: same-value
}
void all_lanes_store() {
  Device<float> in(128), out(1);
  sum_warps<<<1, 128>>>(in, out);
}

__global__ void relax(const int* in, int* changed) {
  if (in[threadIdx.x] == 0) *changed = 1;  // notes: same-value
}
void flag() {
  Device<int> in(64), changed(1);
  relax<<<2, 32>>>(in, changed);
}

__global__ void add_by_cas(float* sum) {
  __shared__ int largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  int* bits = reinterpret_cast<int*>(sum);
  int old = *bits, expected;  // notes: read-before-cas
  do {
    expected = old;
    old = atomicCAS(bits, expected, __float_as_int(__int_as_float(expected) + 1));
  } while (old != expected);
  old = largest;  // notes: read-before-cas
  while (old < int(threadIdx.x)) {
    expected = old;
    old = atomicCAS(&largest, expected, int(threadIdx.x));
  }
}
void cas_loop() {
  Device<float> sum(1);
  add_by_cas<<<2, 64>>>(sum);
}

__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  if (i >= n) return;
  tile[i] = in[i];
  __syncthreads();  // notes: early-return
  out[i] = tile[n - 1 - i];
}
void early_return() {
  Device<int> in(64), out(64);
  reverse<<<1, 64>>>(in, out, 40);
}

__global__ void halve(int* values, int rounds) {
  int i = threadIdx.x;
  for (int half = 32; rounds > 0; half /= 2, --rounds) {
    if (i >= half) {
      return;
    }
    values[i] += values[i + half];
    __syncthreads();  // notes: early-return
  }
}
void return_in_a_loop() {
  Device<int> values(64);
  halve<<<1, 64>>>(values, 5);
}

#define LEAVE_IF(condition) \
  do {                      \
    if (condition) return;  \
  } while (false)

template <typename T>
__device__ void fill_and_read(T* tile, const T* in, T* out, int n) {
  int i = threadIdx.x;
  auto is_odd = [](int k, bool& odd) {
    odd = true;
    if (k % 2 == 1) return;
    odd = false;
  };
  bool odd;
  is_odd(i, odd);
  LEAVE_IF(i >= n || odd);
  tile[i] = in[i];
  __syncthreads();  // notes: early-return
  out[i] = tile[n - 2 - i];
}
__global__ void read_in_a_function(const int* in, int* out, int n) {
  __shared__ int tile[64];
  fill_and_read<int>(tile, in, out, n);
}
void return_of_a_function() {
  Device<int> in(64), out(64);
  read_in_a_function<<<1, 64>>>(in, out, 40);
}

int main(int argc, char** argv) {
  const Bug harmless[] = {{"all-lanes-store", all_lanes_store},
                          {"flag", flag},
                          {"cas-loop", cas_loop},
                          {"early-return", early_return},
                          {"return-in-a-loop", return_in_a_loop},
                          {"return-of-a-function", return_of_a_function}};
  return run_bugs(harmless, argc, argv);
}
