// Cooperative groups beyond a block and its tiles: any group, lanes that run together, the grid.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

int num_wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++num_wrong;
  std::printf("not so: %s\n", what);
}

// The sum over any group, in shared memory.
__device__ int sum_of(cg::thread_group group, int* scratch, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half) value += scratch[rank + half];
    group.sync();
  }
  return value;
}

__global__ void sums(int* out) {
  __shared__ int scratch[64];
  const cg::thread_block block = cg::this_thread_block();
  const int whole = sum_of(block, scratch, static_cast<int>(block.thread_rank()));
  block.sync();
  const cg::thread_group quarter = cg::tiled_partition(block, 16);
  const int rank = static_cast<int>(block.thread_rank());
  const int part = sum_of(quarter, scratch + rank / 16 * 16, rank);
  if (rank == 0) out[0] = whole;
  if (quarter.thread_rank() == 0) out[1 + rank / 16] = part;
}

struct Pair {
  double first;
  long long second;
};

__global__ void wide_shuffles(double* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int rank = static_cast<int>(tile.thread_rank());
  const Pair pair = tile.shfl(Pair{0.5 * rank, 1ll << rank}, 5);
  const int4 four = tile.shfl_xor(make_int4(rank, rank + 1, rank + 2, rank + 3), 1);
  const cg::thread_block_tile<8> eight = cg::tiled_partition<8>(tile);
  out[rank] = pair.first + static_cast<double>(pair.second) + 100 * four.w +
              10000 * static_cast<double>(eight.meta_group_rank());
}

__global__ void odd_lanes(int* out) {
  const int lane = threadIdx.x;
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const cg::coalesced_group active = cg::binary_partition(warp, lane % 2 == 1);
  if (lane % 2 == 0) return;
  const int rank = static_cast<int>(active.thread_rank());
  const int sum = cg::reduce(active, lane, cg::plus<int>());
  const int from_next = active.shfl_down(lane, 1);
  const unsigned upper = active.ballot(lane > 20);
  out[lane] = static_cast<int>(active.size()) + 100 * rank + 10000 * (from_next - lane) +
              (sum == 256) * 100000 + (upper == 0xfc00u) * 1000000;
}

__global__ void scans(int* out) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int rank = static_cast<int>(tile.thread_rank());
  const int before = cg::exclusive_scan(tile, rank + 1);
  const int with = cg::inclusive_scan(tile, rank + 1, cg::plus<int>());
  const int largest = cg::inclusive_scan(tile, rank == 3 ? 50 : rank, cg::greater<int>());
  const auto same = cg::labeled_partition(tile, rank / 4);
  out[threadIdx.x] =
      before + 1000 * (with - before) + 100000 * largest + 10000000 * static_cast<int>(same.size());
}

__global__ void one_of_them(int* out) {
  __shared__ int num_calls;
  const cg::thread_block block = cg::this_thread_block();
  cg::invoke_one(block, [&] { num_calls = 0; });
  block.sync();
  const auto warp = cg::tiled_partition<32>(block);
  const int place = cg::invoke_one_broadcast(
      warp, [&](int step) { return atomicAdd(&num_calls, step); }, 1);
  block.sync();
  if (block.thread_rank() == 0) out[0] = num_calls;
  out[block.thread_rank()] += 10 * place;
}

// Every block adds what all blocks wrote before the barrier.
__global__ void over_the_grid(int* values, int* totals, int rounds) {
  __shared__ int mine;
  const cg::grid_group grid = cg::this_grid();
  const int block = static_cast<int>(grid.block_rank());
  if (threadIdx.x == 0) mine = block + 1;
  for (int round = 0; round < rounds; ++round) {
    if (threadIdx.x == 0) values[block] = mine;
    grid.sync();
    if (threadIdx.x == 0) {
      int total = 0;
      for (unsigned i = 0; i < gridDim.x; ++i) total += values[i];
      mine = total;
    }
    cg::sync(grid);
  }
  if (threadIdx.x == 1) totals[block] = mine;
}

template <typename T, int kSize>
struct Output {
  T* device;
  T host[kSize];
  Output() { cudaMalloc(&device, sizeof host), cudaMemset(device, 0, sizeof host); }
  ~Output() { cudaFree(device); }
  void fetch() { cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost); }
};

void check_grid() {
  Output<int, 4> values, totals;
  int rounds = 2;
  void* arguments[] = {&values.device, &totals.device, &rounds};
  const cudaError_t error =
      cudaLaunchCooperativeKernel((void*)over_the_grid, dim3(4), dim3(64), arguments, 0, nullptr);
  totals.fetch();
  expect(error == cudaSuccess && totals.host[0] == 40 && totals.host[3] == 40,
         "the grid's barrier");
}

int main() {
  Output<int, 8> parts;
  sums<<<1, 64>>>(parts.device);
  parts.fetch();
  expect(parts.host[0] == 2016 && parts.host[1] == 120 && parts.host[4] == 888, "sums of groups");
  Output<double, 32> wide;
  wide_shuffles<<<1, 32>>>(wide.device);
  wide.fetch();
  expect(wide.host[9] == 2.5 + 32 + 1100 + 10000, "shuffles of 16 bytes");
  Output<int, 32> odd;
  odd_lanes<<<1, 32>>>(odd.device);
  odd.fetch();
  expect(odd.host[9] == 16 + 400 + 20000 + 100000 + 1000000, "lanes that run together");
  expect(odd.host[31] == 16 + 1500 + 100000 + 1000000, "the last of them");
  scans<<<1, 32>>>(odd.device);
  odd.fetch();
  expect(odd.host[21] == 15 + 6000 + 5000000 + 40000000, "scans");
  Output<int, 64> once;
  one_of_them<<<1, 64>>>(once.device);
  once.fetch();
  expect(once.host[0] % 10 == 2 && once.host[31] + once.host[63] == 10 &&
             once.host[31] == once.host[1],
         "one thread of a group");
  check_grid();
  std::printf("groups: %s\n", num_wrong == 0 ? "all as the guide says" : "wrong");
  return num_wrong;
}
