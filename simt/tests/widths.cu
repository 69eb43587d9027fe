// Structs that a program makes itself: how wide are the accesses that copy them? As wide as the
// struct is aligned. ./lab test compares each line with the PTX of nvcc.

#include <cuda_bf16.h>

#include <cstdio>

template <typename T, int kCount>
struct Row {
  T values[kCount];
};
template <typename T, int kCount>
struct alignas(sizeof(T) * kCount) AlignedRow {
  T values[kCount];
};
struct Point {
  float x, y, z, w;
};
struct Pair {
  double first, second;
};

__global__ void copy_aligned(const AlignedRow<__nv_bfloat16, 8>* in,
                             AlignedRow<__nv_bfloat16, 8>* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_row(const Row<__nv_bfloat16, 8>* in, Row<__nv_bfloat16, 8>* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_bytes(const Row<unsigned char, 4>* in, Row<unsigned char, 4>* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_point(const Point* in, Point* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_pair(const Pair* in, Pair* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_long(const AlignedRow<float, 8>* in, AlignedRow<float, 8>* out) {
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_as_rows(const __nv_bfloat16* in, __nv_bfloat16* out) {
  using Eight = AlignedRow<__nv_bfloat16, 8>;
  reinterpret_cast<Eight*>(out)[threadIdx.x] = reinterpret_cast<const Eight*>(in)[threadIdx.x];
}

template <typename T>
void run(void (*kernel)(const T*, T*)) {
  constexpr int kBytes = 32 * 32;
  T *in, *out;
  cudaMalloc(&in, kBytes);
  cudaMalloc(&out, kBytes);
  cudaMemset(in, 0, kBytes);
  kernel<<<1, 32>>>(in, out);
  cudaFree(in);
  cudaFree(out);
}

int main() {
  run(copy_aligned);
  run(copy_row);
  run(copy_bytes);
  run(copy_point);
  run(copy_pair);
  run(copy_long);
  run(copy_as_rows);
}
