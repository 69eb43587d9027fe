// Types and groups of CUDA's other headers in kernels: their values, and accesses as wide as those
// of nvcc.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kThreads = 64;

__global__ void fill(__half* halves, __nv_bfloat16* bfloats) {
  const int i = threadIdx.x;
  halves[i] = __float2half(0.5f * i);
  bfloats[i] = __float2bfloat16(i % 8 - 3);
}

__global__ void add_pairs(const __half2* in, __half2* out) {
  const int i = threadIdx.x;
  const __half2 pair = in[i];
  out[i] = __hfma2(pair, __float2half2_rn(2.0f), __half2half2(__low2half(pair)));
}

__global__ void dot(const __nv_bfloat162* a, const float* b, float* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const float2 pair = __bfloat1622float2(a[block.thread_rank()]);
  const float scale = __ldg(b);
  const float product = scale * pair.x * pair.y;
  const float sum = cg::reduce(warp, product, cg::plus<float>());
  if (warp.thread_rank() == 0) out[warp.meta_group_rank()] = sum;
}

__global__ void group_by_eight(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(cg::tiled_partition<32>(block));
  const int rank = static_cast<int>(block.thread_rank());
  const int largest = cg::reduce(tile, rank, cg::greater<int>());
  const int left = tile.shfl_up(rank, 1);
  const bool is_odd = tile.thread_rank() % 2 == 1;
  tile.sync();
  out[rank] = 10000 * largest + 100 * left + static_cast<int>(tile.ballot(is_odd) & 0xf);
}

template <typename T>
class Device {
 public:
  explicit Device(int n) { cudaMalloc(&data_, n * sizeof(T)); }
  ~Device() { cudaFree(data_); }
  T* get() const { return data_; }
  T at(int i) const {
    T value;
    cudaMemcpy(&value, data_ + i, sizeof(T), cudaMemcpyDeviceToHost);
    return value;
  }

 private:
  T* data_;
};

int num_wrong = 0;

void expect(const char* what, float actual, float expected) {
  if (actual == expected) return;
  ++num_wrong;
  std::printf("types: %s is %g, not %g\n", what, actual, expected);
}

int main() {
  Device<__half> halves(kThreads), sums(kThreads);
  Device<__nv_bfloat16> bfloats(kThreads);
  fill<<<1, kThreads>>>(halves.get(), bfloats.get());
  add_pairs<<<1, kThreads / 2>>>(reinterpret_cast<const __half2*>(halves.get()),
                                 reinterpret_cast<__half2*>(sums.get()));
  // Elements 6 and 7 are 3 and 3.5; twice each and the first of them once more.
  expect("element 6", __half2float(sums.at(6)), 9.0f);
  expect("element 7", __half2float(sums.at(7)), 10.0f);
  // A bfloat16 has eight bits for 2050, which needs eleven.
  expect("half as bfloat16", __bfloat162float(__nv_bfloat16(__float2half(2050))), 2048.0f);
  expect("bfloat16 as half", __half2float(__half(__float2bfloat16(-1.5f))), -1.5f);
  expect("a large bfloat16 as half", __half2float(__half(__float2bfloat16(1e30f))), INFINITY);

  Device<float> scale(1), products(1);
  const float two = 2;
  cudaMemcpy(scale.get(), &two, sizeof(two), cudaMemcpyHostToDevice);
  dot<<<1, kThreads / 2>>>(reinterpret_cast<const __nv_bfloat162*>(bfloats.get()), scale.get(),
                           products.get());
  // -3 x -2, -1 x 0, 1 x 2, 3 x 4 make 20; eight times, and twice that.
  expect("the dot product", products.at(0), 320.0f);

  Device<int> groups(kThreads);
  group_by_eight<<<1, kThreads>>>(groups.get());
  // Thread 13 is in the tile of 8 to 15; the odd ranks of its lower half are bits 1 and 3.
  expect("thread 13", static_cast<float>(groups.at(13)), 10000 * 15 + 100 * 12 + 0b1010);
  std::printf("types: %d wrong\n", num_wrong);
  return num_wrong == 0 ? 0 : 1;
}
