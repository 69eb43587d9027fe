// What nvcc compiles, although it looks like something that it refuses. nvcc needs
// --expt-relaxed-constexpr and --extended-lambda for it.

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "run_bugs.h"

#define HD __host__ __device__

constexpr int kTable[3] = {4, 5, 6};
constexpr int kThreads = 32;
const float kScale = 0.5f;

constexpr int next_multiple(int n, int of) {
  return (n + of - 1) / of * of;
}
HD float half_of(float x) {
  return x * kScale;
}
__host__ __device__ inline float third_of(float x) {
  return x / 3;
}
__device__ float quarter_of(float x);
__device__ float quarter_of(float x) {
  return half_of(half_of(x));
}

// Overloads for both sides, and members with the names of host functions.
float square(double x) {
  return float(x * x);
}
__device__ float square(float x) {
  return x * x;
}
int size(const std::vector<float>& all) {
  return int(all.size());
}
int scale(int n) {
  return n;
}
struct Row {
  float* values;
  int length;
  HD int size() const { return length; }
  __device__ float at(int i) const { return i < size() ? values[i] : 0; }
};

template <typename T, typename Function>
__global__ void transform(T* data, int n, Function function) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = function(data[i]);
}

struct Twice {
  __device__ float operator()(float x) const { return 2 * x; }
};

__global__ void use_all(float* out, Row row, float scale) {
  int i = threadIdx.x;
  int local[kTable[1]];
  for (int k = 0; k < 5; ++k) local[k] = next_multiple(k, 4);
  float scales[2] = {scale, scale * (scale + 1)};
  auto square_root = [](float x) { return sqrtf(x); };
  float value = std::min(square(row.at(i)), std::max(half_of(2.0f), third_of(3.0f)));
  out[i] = value + quarter_of(4) + square_root(4) + scales[i % 2] + float(local[i % 5]);
}

__global__ void fill(float* out) {
  out[threadIdx.x] = 1;
}
__global__ void fill(float* out, float value);
__global__ void fill(float* out, float value) {
  out[threadIdx.x] = value;
}

// A parameter with the name of a kernel is called as a function.
template <typename Kernel>
void repeat(int n, Kernel fill) {
  for (int i = 0; i < n; ++i) fill();
}
void run_twice(std::function<void(float*)> transform, float* out) {
  transform(out);
  transform(out);
}
void launch(void (*kernel)(float*), float* out) {
  kernel<<<1, kThreads>>>(out);
}

int sum_of(int n) {
  int values[n];  // on the host, an extension that compilers accept
  for (int i = 0; i < n; ++i) values[i] = i;
  if (n < 0) throw n;
  return values[n - 1] + size({1.0f, 2.0f}) + scale(1) + int(square(2.0)) + rand() % 1;
}

void all_of_these() {
  Device<float> out(64), values(32);
  use_all<<<1, 32>>>(out, Row{values, 32}, 0.5f);
  transform<float><<<1, 32>>>(static_cast<float*>(out), 32, Twice());
  transform<<<1, 32>>>(static_cast<float*>(out), 32, [] __device__(float x) { return x + 1; });
  float* const start = out;
  launch(fill, out);
  repeat(2, [=] { fill<<<1, 32>>>(start, 3.0f); });
  run_twice([](float* to) { fill<<<1, 32>>>(to); }, out);
  std::printf("%d\n", sum_of(5));
}

int main(int argc, char** argv) {
  const Bug accepted[] = {{"all-of-these", all_of_these}};
  return run_bugs(accepted, argc, argv);
}
