// The results of barriers, votes, shuffles and atomic operations, compared with CUDA's guide.

#include <cstdio>
#include <functional>

constexpr int kThreads = 96;
constexpr unsigned kAll = 0xffffffffu;

// Each kernel writes one number for each thread; the host computes the expected one.
using Kernel = void (*)(int*);
using Expected = std::function<int(int thread)>;

__global__ void who_am_i(int* out) {
  const int i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[i] = static_cast<int>(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z);
}

__global__ void barriers(int* out) {
  const int i = threadIdx.x;
  const int count = __syncthreads_count(i % 3 == 0);
  const int all = __syncthreads_and(i < kThreads) + 10 * __syncthreads_and(i < 50);
  const int any = __syncthreads_or(i == 50) + 10 * __syncthreads_or(i > kThreads);
  out[i] = count + 100 * all + 10000 * any;
}

__global__ void votes(int* out) {
  const int lane = threadIdx.x % 32;
  const unsigned odd = __ballot_sync(kAll, lane % 2);
  const int any = __any_sync(kAll, lane == 5) + 2 * __any_sync(kAll, lane > 31);
  const int all = __all_sync(kAll, lane >= 0) + 2 * __all_sync(kAll, lane > 0);
  const unsigned same = __match_any_sync(kAll, lane / 4);
  out[threadIdx.x] = (odd == 0xaaaaaaaau) + 10 * any + 100 * all + 1000 * __popc(same);
}

__global__ void shuffles(int* out) {
  const int i = threadIdx.x;
  const int from_third = __shfl_sync(kAll, i, 3);
  const int from_segment = __shfl_sync(kAll, i, 9, 8);  // lane 1 of each eight
  const int up = __shfl_up_sync(kAll, i, 2, 16);
  const int down = __shfl_down_sync(kAll, i, 3, 8);
  const int across = __shfl_xor_sync(kAll, i, 5);
  out[i] = from_third + 3 * from_segment + 5 * up + 7 * down + 11 * across;
}
int expected_shuffles(int i) {
  const int warp = i / 32 * 32;
  const int up = i % 16 < 2 ? i : i - 2;
  const int down = i % 8 > 4 ? i : i + 3;
  return warp + 3 + 3 * (i / 8 * 8 + 1) + 5 * up + 7 * down + 11 * (i ^ 5);
}

__global__ void wide_shuffle(int* out) {
  const int i = threadIdx.x;
  const double half = __shfl_xor_sync(kAll, i + 0.5, 1);
  const long long large = __shfl_down_sync(kAll, (1ll << 40) + i, 1);
  out[i] = static_cast<int>(2 * half) + 1000 * static_cast<int>(large - (1ll << 40));
}

__global__ void atomics(int* out) {
  __shared__ int cells[6];
  __shared__ float sum;
  const int i = threadIdx.x;
  if (i < 6) cells[i] = i == 4 ? 1000 : 0;
  if (i == 6) sum = 0;
  __syncthreads();
  atomicAdd(&cells[0], 1);
  atomicSub(&cells[1], 2);
  atomicMax(&cells[2], i);
  atomicOr(&cells[3], 1 << i % 8);
  atomicMin(&cells[4], i + 1);
  atomicCAS(&cells[5], 0, 7);
  atomicAdd(&sum, 0.5f);
  __syncthreads();
  out[i] = cells[0] + cells[1] + cells[2] + cells[3] + cells[4] + cells[5] + static_cast<int>(sum);
}

__global__ void counters(int* out) {
  __shared__ unsigned wraps;
  if (threadIdx.x == 0) wraps = 0;
  __syncthreads();
  out[threadIdx.x] = static_cast<int>(atomicInc(&wraps, 2)) >= 0 ? 1 : 0;
  __syncthreads();
  out[threadIdx.x] += static_cast<int>(wraps);
}

__global__ void bits(int* out) {
  const int i = threadIdx.x;
  out[i] = __popc(i) + 100 * __clz(i) + 10000 * __ffs(i) + 1000000 * (__brev(1u << 31) == 1) +
           (min(i, 3u) + max(2.0f, 1.0f) > 4 ? 1 : 0);
}

bool is_right(const char* name, Kernel kernel, dim3 block, const Expected& expected) {
  int* out;
  int host[kThreads];
  cudaMalloc(&out, sizeof host);
  kernel<<<1, block>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  for (int i = 0; i < kThreads; ++i) {
    if (host[i] == expected(i)) continue;
    std::printf("%s: thread %d has %d, not %d\n", name, i, host[i], expected(i));
    return false;
  }
  return true;
}

int main() {
  bool ok = is_right("who_am_i", who_am_i, dim3(8, 4, 3),
                     [](int i) { return i % 8 + 10 * (i / 8 % 4) + 100 * (i / 32); });
  ok &= is_right("barriers", barriers, kThreads, [](int) { return 32 + 100 + 10000; });
  ok &= is_right("votes", votes, kThreads, [](int) { return 1 + 10 + 100 + 4000; });
  ok &= is_right("shuffles", shuffles, kThreads, expected_shuffles);
  ok &= is_right("wide_shuffle", wide_shuffle, kThreads,
                 [](int i) { return 2 * (i ^ 1) + 1 + 1000 * (i % 32 == 31 ? i : i + 1); });
  ok &=
      is_right("atomics", atomics, kThreads, [](int) { return 96 - 192 + 95 + 255 + 1 + 7 + 48; });
  ok &= is_right("counters", counters, kThreads, [](int) { return 1 + 96 % 3; });
  ok &= is_right("bits", bits, kThreads, [](int i) {
    const unsigned u = static_cast<unsigned>(i);
    const int zeros = i == 0 ? 32 : __builtin_clz(u);
    const int sum = 1000000 + (i >= 3 ? 1 : 0);
    return __builtin_popcount(u) + 100 * zeros + 10000 * __builtin_ffs(i) + sum;
  });
  if (ok) std::printf("all as the guide says\n");
  return ok ? 0 : 1;
}
