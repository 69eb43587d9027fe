// Arithmetic that rounds toward zero, up or down, against the host's own; and the functions for
// dynamic programming. nvcc compiles this file, too.

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>

int num_wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  if (++num_wrong < 20) std::printf("not so: %s\n", what);
}

constexpr int kModes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
constexpr int kOperations = 7;

template <typename T>
struct Results {
  T of[3][kOperations];
};

#define OF(l, mode, ending)                         \
  results->of[mode][0] = __##l##add_##ending(a, b); \
  results->of[mode][1] = __##l##sub_##ending(a, b); \
  results->of[mode][2] = __##l##mul_##ending(a, b); \
  results->of[mode][3] = __##l##div_##ending(a, b); \
  results->of[mode][4] = __##l##rcp_##ending(a);    \
  results->of[mode][5] = __##l##sqrt_##ending(a);

__device__ void calculate(float a, float b, float c, Results<float>* results) {
  OF(f, 0, rz)
  OF(f, 1, ru)
  OF(f, 2, rd)
  results->of[0][6] = __fmaf_rz(a, b, c);
  results->of[1][6] = __fmaf_ru(a, b, c);
  results->of[2][6] = __fmaf_rd(a, b, c);
}
__device__ void calculate(double a, double b, double c, Results<double>* results) {
  OF(d, 0, rz)
  OF(d, 1, ru)
  OF(d, 2, rd)
  for (int mode = 0; mode < 3; ++mode) results->of[mode][6] = c;
}

template <typename T>
__global__ void calculate_all(const T* numbers, int n, Results<T>* results) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 2 < n) calculate(numbers[i], numbers[i + 1], numbers[i + 2], &results[i]);
}

template <typename T>
Results<T> on_host(T first, T second, T third) {
  volatile T a = first, b = second, c = third;
  Results<T> results;
  for (int mode = 0; mode < 3; ++mode) {
    std::fesetround(kModes[mode]);
    volatile T one = 1;
    volatile T all[] = {a + b, a - b, a * b, a / b, one / a, std::sqrt(a)};
    volatile T last = sizeof(T) == 4 ? std::fma(a, b, c) : c;
    for (int i = 0; i < 6; ++i) results.of[mode][i] = all[i];
    results.of[mode][6] = last;
  }
  std::fesetround(FE_TONEAREST);
  return results;
}

template <typename T, typename Bits>
void check(const char* what) {
  constexpr int kNumbers = 3000;
  T numbers[kNumbers];
  std::mt19937_64 random(7);
  const T special[] = {0,
                       -T{0},
                       1,
                       -1,
                       T{1} / 3,
                       std::numeric_limits<T>::max(),
                       std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::denorm_min(),
                       std::numeric_limits<T>::infinity()};
  for (int i = 0; i < kNumbers; ++i) {
    const Bits bits = static_cast<Bits>(random());
    std::memcpy(&numbers[i], &bits, sizeof bits);
    // Some are of like size, so that sums are inexact; some sums are zero; some are special.
    if (i % 4 == 1) numbers[i] = static_cast<T>(random() % 100000) / 7;
    if (i % 4 == 2) numbers[i] = -numbers[i - 1];
    if (i % 4 == 3) numbers[i] = special[random() % 9];
  }
  T* in;
  Results<T>* out;
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, kNumbers * sizeof(Results<T>));
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  calculate_all<<<(kNumbers + 127) / 128, 128>>>(in, kNumbers, out);
  static Results<T> found[kNumbers];
  cudaMemcpy(found, out, (kNumbers - 2) * sizeof(Results<T>), cudaMemcpyDeviceToHost);
  for (int i = 0; i + 2 < kNumbers; ++i) {
    const Results<T> expected = on_host<T>(numbers[i], numbers[i + 1], numbers[i + 2]);
    for (int k = 0; k < 3 * kOperations; ++k) {
      const T is = found[i].of[k / kOperations][k % kOperations];
      const T should = expected.of[k / kOperations][k % kOperations];
      const bool are_equal = std::memcmp(&is, &should, sizeof is) == 0;
      expect(are_equal || (std::isnan(is) && std::isnan(should)), what);
    }
  }
  cudaFree(in);
  cudaFree(out);
}

__global__ void maxima(unsigned* out) {
  bool high = false, low = false, first = false;
  const unsigned results[] = {
      static_cast<unsigned>(__vimax3_s32(-5, 3, 2)),
      static_cast<unsigned>(__vimin3_s32(-5, 3, 2)),
      static_cast<unsigned>(__vimax3_s32_relu(-5, -3, -2)),
      __vimax3_u32(5, 0xffffffff, 2),
      __vimax3_s16x2(0xfffb0003, 0x00020001, 0x00010002),
      __vimin3_u16x2(0xfffb0003, 0x00020001, 0x00010002),
      static_cast<unsigned>(__viaddmax_s32(0x7fffffff, 1, -7)),
      __viaddmax_s16x2(0x7fff0001, 0x00010002, 0xfff90001),
      __viaddmin_s16x2_relu(0x00050005, 0x00010001, 0xfff90007),
      __viaddmin_u32(0xffffffff, 2, 7),
      static_cast<unsigned>(__vimax_s32_relu(-5, -3)),
      __vimin_s16x2_relu(0x0004fff0, 0x00050001),
      __vibmax_u32(7, 7, &first) + first,
      __vibmin_s16x2(0xfffb0003, 0x00020001, &high, &low) + 2 * high + low,
  };
  for (int i = 0; i < 14; ++i) out[i] = results[i];
}

void check_maxima() {
  const unsigned expected[] = {3,          0xfffffffb, 0,          0xffffffff, 0x00020003,
                               0x00010001, 0xfffffff9, 0xfff90003, 0x00000006, 1,
                               0,          0x00040000, 8,          0xfffb0003};
  unsigned* out;
  unsigned found[14];
  cudaMalloc(&out, sizeof found);
  maxima<<<1, 1>>>(out);
  cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 14; ++i) expect(found[i] == expected[i], "a maximum or a minimum");
  cudaFree(out);
}

int main() {
  check<float, std::uint32_t>("a float is rounded as on the host");
  check<double, std::uint64_t>("a double is rounded as on the host");
  check_maxima();
  if (num_wrong == 0) std::printf("all as the manual says\n");
  return num_wrong == 0 ? 0 : 1;
}
