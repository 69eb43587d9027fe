// Intrinsics that courses meet: values from CUDA's guide.

#include <cuda_fp16.h>

#include <cstdio>

constexpr int kValues = 64;

__global__ void integers(long long* out) {
  int i = 0;
  out[i++] = __umul24(0x01000003u, 5);                            // 15
  out[i++] = __mul24(-3, 0x01000002);                             // -6
  out[i++] = __mulhi(-1, 2);                                      // -1
  out[i++] = __umulhi(0x80000000u, 6);                            // 3
  out[i++] = __mul64hi(-1, 2);                                    // -1
  out[i++] = __umul64hi(1ull << 63, 6);                           // 3
  out[i++] = umin(7u, 0xffffffffu) + umax(2u, 3u);                // 10
  out[i++] = llmin(-5, 4) + llmax(-5, 4);                         // -1
  out[i++] = ullmin(5, 4) + ullmax(5, 4);                         // 9
  out[i++] = __sad(-3, 4, 10) + __usad(9, 4, 100);                // 122
  out[i++] = __byte_perm(0x33221100, 0x77665544, 0x7041);         // 0x77004411
  out[i++] = __byte_perm(0x00008000, 0, 0x9991);                  // 0xffffff80
  out[i++] = __funnelshift_l(0x80000000u, 1, 1);                  // 3
  out[i++] = __funnelshift_r(0, 1, 4);                            // 0x10000000
  out[i++] = __funnelshift_lc(8, 1, 40);                          // 8
  out[i++] = __dp4a(0x01ff0203, 0x04050607, 100);                 // 1*4 - 5 + 2*6 + 3*7 + 100 = 132
  out[i++] = __vadd4(0x01ff7f02, 0x01010101);                     // 0x02008003
  out[i++] = __vsub2(0x00010000, 0x00020001);                     // 0xffffffff
  out[i++] = __vmaxs4(0x80017f05, 0x00000604);                    // 0x00017f05
  out[i++] = __vminu2(0x80000003, 0x7fff0004);                    // 0x7fff0003
  out[i++] = __vaddss4(0x7f80ff01, 0x01ff0101);                   // 0x7f800002
  out[i++] = __vsubus2(0x00050001, 0x00020002);                   // 0x00030000
  out[i++] = __vavgs4(0xfffd0301, 0xfefe0202);                    // 0xfefd0302
  out[i++] = __vavgu4(0xff000102, 0xfe010104) + __vhaddu4(3, 2);  // 0xff010103 + 2
  out[i++] = __vabsdiffu4(0x01ff0305, 0xff010304);                // 0xfefe0001
  out[i++] = __vabsdiffs2(0x80007fff, 0x7fff8000);                // 0xffffffff
  out[i++] = __vsadu4(0x01020304, 0x04030201);                    // 3 + 1 + 1 + 3
  out[i++] = __vsads2(0xffff0001, 0x0001ffff);                    // 2 + 2
  out[i++] = __vabs4(0x80ff017f);                                 // 0x8001017f
  out[i++] = __vabsss4(0x80ff017f) - __vnegss2(0x8000ffff);       // 0x7f01017f - 0x7fff0001
  out[i++] = __vcmpgts4(0x0180ff00, 0x00000000);                  // 0xff000000
  out[i++] = __vcmpgtu4(0x0180ff00, 0x00000000);                  // 0xffffff00
  out[i++] = __vseteq2(0x00050001, 0x00050002);                   // 0x00010000
  out[i++] = __fns(0xf0f0, 5, 2);                                 // 6
  out[i++] = __fns(0xf0f0, 10, -2);                               // 6
  out[i++] = __fns(0xf0f0, 3, 0);                                 // all bits
  out[i++] = __brevll(1) == 1ull << 63;                           // 1
  out[i++] = __float2int_rn(2.5f) + 10 * __float2int_rz(-2.9f);   // 2 - 20
  out[i++] = __float2int_ru(2.1f) + 10 * __float2int_rd(-2.1f);   // 3 - 30
  out[i++] = __float2int_rz(1e20f) == INT_MAX;                    // 1
  out[i++] = __float2uint_rn(-5.0f);                              // 0
  out[i++] = __double2ll_rd(-0.5);                                // -1
  out[i++] = __double2hiint(1.0) == 0x3ff00000;                   // 1
  out[i++] = __hiloint2double(0x3ff00000, 0) == 1.0;              // 1
  out[i++] = __double_as_longlong(1.0) == 0x3ff0000000000000;     // 1
  out[i++] = __longlong_as_double(0x4000000000000000) == 2.0;     // 1
  out[i++] = __int2float_rz(0x7fffffff) == 2147483520.0f;         // 1
  out[i++] = __int2float_rn(0x7fffffff) == 2147483648.0f;         // 1
  out[i++] = __double2float_rd(0.1) < __double2float_ru(0.1);     // 1
  out[i++] = __ull2double_rn(1ull << 40) == 1099511627776.0;      // 1
}
constexpr long long kIntegers[] = {
    15,         -6,         -1,         3,          -1,         3,          10,         -1,
    9,          122,        0x77004411, 0xffffff80, 3,          0x10000000, 8,          132,
    0x02008003, 0xffffffff, 0x00017f05, 0x7fff0003, 0x7f800002, 0x00030000, 0xfefd0302, 0xff010105,
    0xfefe0001, 0xffffffff, 8,          4,          0x8001017f, 0xff02017e, 0xff000000, 0xffffff00,
    0x00010000, 6,          6,          0xffffffff, 1,          -18,        -27,        1,
    0,          -1,         1,          1,          1,          1,          1,          1,
    1,          1};

__global__ void floats(long long* out) {
  int i = 0;
  out[i++] = __fdiv_rn(7, 2) == 3.5f && __fsub_rn(3, 1) == 2 && __dadd_rn(1, 2) == 3;
  out[i++] = __frsqrt_rn(4) == 0.5f && rcbrtf(8) == 0.5f && fabsf(__exp10f(2) - 100) < 1e-3f;
  out[i++] = fabsf(sinpif(0.5f) - 1) < 1e-6f && fabs(cospi(1.0) + 1) < 1e-12;
  out[i++] = norm3df(2, 3, 6) == 7 && fabsf(normcdff(0) - 0.5f) < 1e-6f;
  const __half2 pair = h2exp(__floats2half2_rn(0, 1));
  out[i++] = __low2float(pair) == 1 && fabsf(__high2float(pair) - 2.718f) < 2e-3f;
  out[i++] = __half2float(hsqrt(__float2half(2.25f))) == 1.5f;
  out[i++] =
      __half2float(hrsqrt(__float2half(4))) == 0.5f && __half2int_rz(__float2half(-2.5f)) == -2;
  float sine, cosine;
  __sincosf(0, &sine, &cosine);
  out[i++] = sine == 0 && cosine == 1;
}

__global__ void warps(long long* out) {
  __shared__ __half2 pairs[1];
  __shared__ unsigned long long largest[1];
  if (threadIdx.x == 0) pairs[0] = __floats2half2_rn(1, 2);
  if (threadIdx.x == 0) largest[0] = 5;
  __syncthreads();
  int all_same, some_same;
  const unsigned all = __match_all_sync(0xffffffffu, 3, &all_same);
  const unsigned some = __match_all_sync(0xffffffffu, threadIdx.x, &some_same);
  atomicAdd(&pairs[0], __floats2half2_rn(0.5f, 1));
  atomicMax(&largest[0], static_cast<unsigned long long>(threadIdx.x));
  __nanosleep(10);
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = all == 0xffffffffu && all_same == 1 && some == 0 && some_same == 0;
  out[1] = __low2float(pairs[0]) == 17 && __high2float(pairs[0]) == 34;
  out[2] = largest[0] == 31;
}

#ifdef KV_SIMT
__global__ void vector_atomics(float4* sums) {  // from sm_90 on
  atomicAdd(&sums[0], make_float4(1, 2, 3, 4));
  atomicAdd(reinterpret_cast<float2*>(&sums[1]), make_float2(1, 2));
}
#endif

int num_wrong = 0;
void run(const char* what,
         void (*kernel)(long long*),
         int num_threads,
         const long long* expected,
         int n) {
  long long *out, host[kValues];
  cudaMalloc(&out, sizeof host);
  cudaMemset(out, 0, sizeof host);
  kernel<<<1, num_threads>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  for (int i = 0; i < n; ++i) {
    const long long wanted = expected == nullptr ? 1 : expected[i];
    if (host[i] == wanted) continue;
    ++num_wrong;
    std::printf("%s: value %d is %lld, not %lld\n", what, i, host[i], wanted);
  }
}

int main() {
  run("integers", integers, 1, kIntegers, sizeof kIntegers / sizeof kIntegers[0]);
  run("floats", floats, 1, nullptr, 8);
  run("warps", warps, 32, nullptr, 3);
#ifdef KV_SIMT
  float4 *sums, host[2];
  cudaMalloc(&sums, sizeof host);
  cudaMemset(sums, 0, sizeof host);
  vector_atomics<<<2, 32>>>(sums);
  cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(sums);
  if (host[0].w != 256 || host[1].y != 128) ++num_wrong;
#endif
  std::printf("intrinsics: %s\n", num_wrong == 0 ? "all as the guide says" : "wrong");
  return num_wrong;
}
