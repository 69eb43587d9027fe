// Inline PTX: what each instruction computes, and how wide its accesses are. nvcc compiles this
// file too.
#include <cuda_fp16.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

constexpr int kNumResults = 31;

__device__ float half_to_float(uint16_t bits) {
  float value;
  asm volatile("cvt.f32.f16 %0, %1;\n" : "=f"(value) : "h"(bits));
  return value;
}

__device__ uint32_t two_halves(float low, float high) {
  uint32_t pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

__device__ void pack_and_unpack(uint32_t* out) {
  const uint16_t one = 0x3c00, two = 0x4000;
  uint16_t low, high;
  asm volatile("mov.b32 %0, {%1, %2};" : "=r"(out[0]) : "h"(one), "h"(two));
  asm volatile("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(out[0]));
  out[1] = high;
  asm volatile(
      "{ .reg .b16 first, second;\n"
      "  mov.b32 {first, second}, %1;\n"
      "  mov.b32 %0, {second, first}; }"
      : "=r"(out[2])
      : "r"(out[0]));
  out[3] = low;
}

__device__ void calculate(uint32_t* out) {
  const uint32_t pair = two_halves(1.5f, -2.0f), ones = two_halves(1.0f, 1.0f);
  out[0] = pair;
  asm("add.f16x2 %0, %1, %2;" : "=r"(out[1]) : "r"(pair), "r"(ones));
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(out[2]) : "r"(pair), "r"(pair));
  asm volatile("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(out[3]) : "r"(pair), "r"(pair), "r"(ones));
  asm("add.s32 %0, %1, %2;" : "=r"(out[4]) : "r"(0x7fffffff), "r"(1));
  asm("mul.lo.u32 %0, %1, %2;" : "=r"(out[5]) : "r"(0x10001), "r"(0x10003));
  asm("min.s32 %0, %1, %2;" : "=r"(out[6]) : "r"(0xffffffff), "r"(1));
  asm("max.u32 %0, %1, %2;" : "=r"(out[7]) : "r"(0xffffffff), "r"(1));
  asm("and.b32 %0, %1, %2;" : "=r"(out[8]) : "r"(0xff0f), "r"(0x0ff0));
  asm("shl.b32 %0, %1, %2;" : "=r"(out[9]) : "r"(1), "r"(32));
  asm("shr.u32 %0, %1, %2;" : "=r"(out[10]) : "r"(0x80000000), "r"(31));
  uint32_t counter = 5;
  asm volatile("add.u32 %0, %0, 7;" : "+r"(counter));
  out[11] = counter;
  asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(out[12]) : "r"(0b1100), "r"(0b1010), "r"(0b1001));
  float root, power;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(root) : "f"(2.25f));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(3.0f));
  out[13] = static_cast<uint32_t>(100 * root + power);
  out[14] = static_cast<uint32_t>(1000 * half_to_float(0x3555));
}

__device__ void ask_for_the_lane(uint32_t* out) {
  asm("mov.u32 %0, %%laneid;" : "=r"(out[0]));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(out[1]));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(out[2]));
  uint64_t before, after;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  asm("mov.u32 %0, %%warpid;" : "=r"(out[3]));
  asm("mov.u32 %0, %%tid.x;" : "=r"(out[4]));
  asm("mov.u32 %0, %%ntid.x;" : "=r"(out[5]));
  uint32_t this_one, all;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(this_one));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(all));
  out[6] = this_one < all;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  asm volatile("mov.u32 %0, %%clock_hi;" : "=r"(all));
  out[7] = before <= after && all <= after >> 32;
}

__device__ void load_and_store(const uint4* in, uint4* out) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4 + 16];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(in)
               : "memory");
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(out), "r"(v.w), "r"(v.z), "r"(v.y),
               "r"(v.x)
               : "memory");
}

__global__ void results(const uint4* in, uint4* vector, uint32_t* out) {
  if (threadIdx.x != 5) return;
  pack_and_unpack(out);
  calculate(out + 4);
  ask_for_the_lane(out + 19);
  load_and_store(in, vector);
}

int main() {
  const uint32_t expected[kNumResults] = {
      0x40003c00, 0x4000,  0x3c004000, 0x3c00,     0xc0003e00, 0xbc004100, 0x44004080, 0x45004280,
      0x80000000, 0x40003, 0xffffffff, 0xffffffff, 0x0f00,     0,          1,          12,
      0b1000,     158,     333,        5,          0x1f,       0xffffffe0, 0,          5,
      32,         1,       1,          8,          7,          6,          5};
  const uint32_t numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint4 *in, *vector;
  uint32_t* out;
  cudaMalloc(&in, sizeof(numbers));
  cudaMalloc(&vector, sizeof(uint4));
  cudaMalloc(&out, kNumResults * sizeof(uint32_t));
  cudaMemcpy(in, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
  results<<<1, 32>>>(in, vector, out);
  uint32_t found[kNumResults] = {};
  cudaMemcpy(found, out, 27 * sizeof(uint32_t), cudaMemcpyDeviceToHost);
  cudaMemcpy(found + 27, vector, sizeof(uint4), cudaMemcpyDeviceToHost);
  bool is_right = cudaDeviceSynchronize() == cudaSuccess;
  for (int i = 0; i < kNumResults; ++i) {
    if (found[i] == expected[i]) continue;
    std::printf("result %d is %x, expected %x\n", i, found[i], expected[i]);
    is_right = false;
  }
  std::puts(is_right ? "all as the manual of PTX says" : "wrong");
  cudaFree(in);
  cudaFree(vector);
  cudaFree(out);
  return is_right ? 0 : 1;
}
