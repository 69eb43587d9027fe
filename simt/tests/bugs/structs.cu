// Structs that functions return and take, and the bytes between their members.

#include <cstring>

#include "run_bugs.h"

struct Pair {
  float x, y;
};
struct Row {
  float values[6];
};
struct Padded {
  char tag;
  double value;
  int count;
};

__device__ Pair pair_of(int i) {
  return {float(i), -1.0f};
}
__device__ Row row_of(int i) {
  return {{float(i), 1, 2, 3, 4, 5}};
}
__device__ float sum_of(Pair pair, Row row) {
  return pair.x + pair.y + row.values[5];
}
__global__ void store_structs(Pair* pairs, Row* rows, float* sums) {
  __shared__ Pair shared[32];
  int i = threadIdx.x;
  pairs[i] = pair_of(i);
  rows[i] = row_of(i);
  shared[i] = pair_of(2 * i);
  sums[i] = sum_of(pairs[i], rows[i]) + sum_of(shared[i], rows[i]);
}
void made_by_a_call() {
  Device<Pair> pairs(32, false);
  Device<Row> rows(32, false);
  Device<float> sums(32, false);
  store_structs<<<1, 32>>>(pairs, rows, sums);
}

__global__ void store_most(Pair* pairs, float* sums) {
  int i = threadIdx.x;
  if (i != 20) pairs[i] = pair_of(i);
  sums[i] = pairs[i].x + pairs[i].y;  // finds: uninitialized in thread (20,0,0)
}
void one_is_missing() {
  Device<Pair> pairs(32, false);
  Device<float> sums(32, false);
  store_most<<<1, 32>>>(pairs, sums);
}

__global__ void copy_padded(Padded* padded, Padded* copies) {
  __shared__ Padded shared[32];
  int i = threadIdx.x;
  padded[i].tag = 'a';
  padded[i].value = i;
  padded[i].count = i;
  shared[i].tag = 'b';
  shared[i].value = i;
  shared[i].count = i;
  copies[i] = i % 2 ? padded[i] : shared[i];
}
void padding() {
  Device<Padded> padded(32, false), copies(32, false);
  copy_padded<<<1, 32>>>(padded, copies);
  Padded host[32];
  cudaMemcpy(host, copies, sizeof host, cudaMemcpyDeviceToHost);
}

__global__ void fill_evens(float* out) {
  if (threadIdx.x % 2 == 0) out[threadIdx.x] = 1;
}
void every_second_one() {
  Device<float> out(32, false);
  fill_evens<<<1, 32>>>(out);
  float host[32];
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);  // finds: uninitialized
}

__global__ void read_quads(const float4* quads, float* out) {
  float4 quad = quads[threadIdx.x];  // finds: uninitialized in thread (7,0,0)
  out[threadIdx.x] = quad.x;
}
void tail_of_a_vector() {
  Device<float> values(32, false), out(32);
  cudaMemset(values, 0, 31 * sizeof(float));
  read_quads<<<1, 8>>>(reinterpret_cast<float4*>(static_cast<float*>(values)), out);
}

__global__ void count_letters(const char* text, int* counts) {
  atomicAdd(&counts[text[threadIdx.x] & 31], 1);
}
void written_by_the_library() {
  char* text;
  cudaMallocManaged(&text, 64);
  std::strcpy(text, "paged");
  std::snprintf(text + 5, 59, "%d attention", 12345);
  Device<int> counts(32);
  count_letters<<<1, 16>>>(text, counts);
  cudaFree(text);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"made-by-a-call", made_by_a_call},
                      {"one-is-missing", one_is_missing},
                      {"padding", padding},
                      {"every-second-one", every_second_one},
                      {"tail-of-a-vector", tail_of_a_vector},
                      {"written-by-the-library", written_by_the_library}};
  return run_bugs(bugs, argc, argv);
}
