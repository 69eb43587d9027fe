// Correct programs that a checker may mistake for wrong ones.

#include <cooperative_groups.h>

#include "run_bugs.h"

__global__ void sum_warp(const int* in, int* out) {
  __shared__ int sums[32];
  int lane = threadIdx.x;
  sums[lane] = in[lane];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    if (lane < half) sums[lane] += sums[lane + half];
    __syncwarp();
  }
  if (lane == 0) *out = sums[0];
}
void syncwarp_reduction() {
  Device<int> in(32), out(1);
  sum_warp<<<1, 32>>>(in, out);
}

template <typename T>
__global__ void neighbors(T* out) {
  __shared__ T values[64];
  values[threadIdx.x] = T(threadIdx.x);
  out[blockIdx.x * 64 + threadIdx.x] = values[threadIdx.x];
}
void small_neighbors() {
  Device<unsigned short> shorts(128);
  Device<unsigned char> bytes(128);
  neighbors<unsigned short><<<2, 64>>>(shorts);
  neighbors<unsigned char><<<2, 64>>>(bytes);
}

__global__ void histogram(const int* in, int* counts) {
  __shared__ int local[8];
  if (threadIdx.x < 8) local[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&local[in[blockIdx.x * blockDim.x + threadIdx.x] & 7], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}
void atomics() {
  Device<int> in(256), counts(8);
  histogram<<<4, 64>>>(in, counts);
}

__global__ void stream_rows(const float* in, float* out, int rows) {
  __shared__ float buffers[2][64];
  int i = threadIdx.x;
  buffers[0][i] = in[i];
  for (int r = 0; r < rows; ++r) {
    __syncthreads();
    if (r + 1 < rows) buffers[(r + 1) % 2][i] = in[(r + 1) * 64 + i];
    out[r * 64 + i] = buffers[r % 2][63 - i];
  }
}
void double_buffer() {
  Device<float> in(512), out(512);
  stream_rows<<<1, 64>>>(in, out, 8);
}

__global__ void halves(int* out) {
  int lane = threadIdx.x;
  unsigned mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
  int value = lane;
  if (lane < 16) {
    for (int d = 8; d > 0; d /= 2) value += __shfl_xor_sync(mask, value, d);
  } else {
    for (int d = 8; d > 0; d /= 2) value = max(value, __shfl_xor_sync(mask, value, d));
  }
  out[lane] = value;
}
void half_warp_masks() {
  Device<int> out(32);
  halves<<<1, 32>>>(out);
}

__global__ void forty(int* out) {
  __shared__ int values[40];
  values[threadIdx.x] = threadIdx.x;
  unsigned odd = __ballot_sync(0xffffffffu, threadIdx.x & 1);
  __syncthreads();
  out[threadIdx.x] = values[39 - threadIdx.x] + __popc(odd);
}
void forty_threads() {
  Device<int> out(40);
  forty<<<1, 40>>>(out);
}

__global__ void sum_of_blocks(const int* in, int* partial, unsigned* done, int* out) {
  __shared__ int sums[64];
  __shared__ bool is_last;
  sums[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 64; ++i) sums[0] += sums[i];
    partial[blockIdx.x] = sums[0];
    __threadfence();
    is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) atomicAdd(out, partial[threadIdx.x]);
}
void last_block() {
  Device<int> in(512), partial(8), out(1);
  Device<unsigned> done(1);
  sum_of_blocks<<<8, 64>>>(in, partial, done, out);
}

__global__ void count_in_turn(int* lock, int* count) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *count += 1;
  __threadfence();
  atomicExch(lock, 0);
}
void spin_lock() {
  Device<int> lock(1), count(1);
  count_in_turn<<<2, 48>>>(lock, count);
}

// Warp-aggregated atomics: one lane adds for all that are in the branch.
__device__ int next_place(int* count) {
  unsigned active = __activemask();
  int leader = __ffs(active) - 1, lane = threadIdx.x % 32, first = 0;
  if (lane == leader) first = atomicAdd(count, __popc(active));
  return __shfl_sync(active, first, leader) + __popc(active & ((1u << lane) - 1));
}
__global__ void keep_odd(const int* in, int* out, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (in[i] + i) % 2 == 1) out[next_place(count)] = i;
}
__global__ void sum_active(const int* in, int* out, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  unsigned active = __activemask();
  int odd = __ballot_sync(active, in[i] + i & 1);
  out[i] = __popc(odd);
}
void active_lanes() {
  Device<int> in(256), out(256), count(1);
  keep_odd<<<2, 128>>>(in, out, count, 250);
  keep_odd<<<3, 45>>>(in, out, count, 130);
  sum_active<<<1, 77>>>(in, out, 70);
}

// A warp writes and its first lane says so; in the next block one lane waits for its warp.
__global__ void pass_on_by_lanes(int* flags, int* values, int* ticket) {
  int lane = threadIdx.x, mine = 0;
  if (lane == 0) {
    mine = atomicAdd(ticket, 1);
    while (mine > 0 && atomicAdd(&flags[mine - 1], 0) == 0) {
    }
    __threadfence();
  }
  mine = __shfl_sync(0xffffffffu, mine, 0);
  __syncwarp();
  values[mine * 32 + lane] = mine == 0 ? lane : values[mine * 32 - 1 - lane];
  __syncwarp();
  if (lane == 0) {
    __threadfence();
    atomicExch(&flags[mine], 1);
  }
}
void warps_pass_on() {
  Device<int> flags(4), values(128), ticket(1);
  pass_on_by_lanes<<<4, 32>>>(flags, values, ticket);
}

// A block waits for the one before it, and so for all that are before that one.
__global__ void sum_those_before(volatile int* flags, int* sums, int* ticket) {
  int mine = atomicAdd(ticket, 1);
  while (mine > 0 && flags[mine - 1] == 0) {
  }
  __threadfence();
  sums[mine] = 1;
  for (int i = 0; i < mine; ++i) sums[mine] += sums[i];
  __threadfence();
  flags[mine] = 1;
}
void a_chain_of_flags() {
  Device<int> flags(8), sums(8), ticket(1);
  sum_those_before<<<8, 1>>>(flags, sums, ticket);
}

// What a block has in shared memory stays, while others run and use the same bytes of it.
__global__ void keep_over_the_grid(int* out) {
  __shared__ int numbers[64];
  extern __shared__ int more[];
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int other = blockIdx.x * 64 + 63 - threadIdx.x;
  for (int round = 0; round < 2; ++round) {
    numbers[threadIdx.x] = 0xfff5fff5;  // as in memory that nobody has written
    more[threadIdx.x] = threadIdx.x + round;
    reinterpret_cast<short*>(more)[2 * threadIdx.x + 1] = 0;
    grid.sync();
    out[other] = numbers[63 - threadIdx.x] + more[63 - threadIdx.x];
    __syncthreads();
  }
  numbers[threadIdx.x] = more[threadIdx.x] = 0;
}
void kept_over_the_grid() {
  Device<int> out(192);
  int* data = out;
  void* arguments[] = {&data};
  cudaLaunchCooperativeKernel(keep_over_the_grid, 3, 64, arguments, 256);
}

int main(int argc, char** argv) {
  const Bug clean[] = {{"syncwarp-reduction", syncwarp_reduction},
                       {"small-neighbors", small_neighbors},
                       {"atomics", atomics},
                       {"double-buffer", double_buffer},
                       {"half-warp-masks", half_warp_masks},
                       {"forty-threads", forty_threads},
                       {"last-block", last_block},
                       {"spin-lock", spin_lock},
                       {"active-lanes", active_lanes},
                       {"warps-pass-on", warps_pass_on},
                       {"a-chain-of-flags", a_chain_of_flags},
                       {"kept-over-the-grid", kept_over_the_grid}};
  return run_bugs(clean, argc, argv);
}
