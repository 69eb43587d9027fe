// Threads that do not wait for each other.

#include "run_bugs.h"

__global__ void reverse(float* data) {
  __shared__ float tile[64];
  tile[threadIdx.x] = data[threadIdx.x];       // finds: shared-race
  data[threadIdx.x] = tile[63 - threadIdx.x];  // finds: uninitialized
}
void missing_barrier() {
  Device<float> data(64);
  reverse<<<1, 64>>>(data);
}

__global__ void smooth(const float* in, float* out, int rows) {
  __shared__ float row[64];
  for (int r = 0; r < rows; ++r) {
    row[threadIdx.x] = in[r * 64 + threadIdx.x];  // finds: shared-race
    __syncthreads();
    out[r * 64 + threadIdx.x] = row[threadIdx.x] + row[(threadIdx.x + 1) % 64];
  }
}
void reused_too_early() {
  Device<float> in(256), out(256);
  smooth<<<1, 64>>>(in, out, 4);
}

__global__ void last_wins(int* out) {
  __shared__ int winner;
  winner = threadIdx.x;  // finds: shared-race
  __syncthreads();
  if (threadIdx.x == 0) *out = winner;
}
void everybody_writes() {
  Device<int> out(1);
  last_wins<<<1, 64>>>(out);
}

template <typename T>
__global__ void rotate(T* data) {
  __shared__ T ring[64];
  ring[threadIdx.x] = data[threadIdx.x];              // finds: shared-race
  data[threadIdx.x] = ring[(threadIdx.x + 32) % 64];  // finds: uninitialized
}
void in_a_template() {
  Device<double> data(64);
  rotate<double><<<1, 64>>>(data);
}

__global__ void sum_warp(const int* in, int* out) {
  __shared__ int sums[64];
  int lane = threadIdx.x;
  sums[lane] = in[lane];
  sums[lane + 32] = 0;
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) sums[lane] += sums[lane + half];  // finds: shared-race
  out[lane] = sums[lane];
}
void warp_without_syncwarp() {
  Device<int> in(32), out(32);
  sum_warp<<<1, 32>>>(in, out);
}

__global__ void exchange(const int* in, int* out) {
  __shared__ int values[32];
  values[threadIdx.x] = in[threadIdx.x];
  int sum = __shfl_xor_sync(0xffffffffu, in[threadIdx.x], 1);
  out[threadIdx.x] = sum + values[threadIdx.x ^ 1];  // finds: shared-race
}
void shuffle_is_no_fence() {
  Device<int> in(32), out(32);
  exchange<<<1, 32>>>(in, out);
}

__global__ void every_block_writes(int* out) {
  if (threadIdx.x < 4) out[threadIdx.x] = blockIdx.x;  // finds: global-race in thread (0,0,0)
}
void between_blocks() {
  Device<int> out(4);
  every_block_writes<<<2, 32>>>(out);
}

__global__ void shift(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) data[i] = data[i + 1];  // finds: global-race only in reverse
}
void in_place_shift() {
  Device<int> data(128);
  shift<<<4, 32>>>(data, 128);
}

__global__ void count_plainly(int* count) {
  *count += 1;  // finds: global-race in thread (1,0,0)
}
void count_without_atomics() {
  Device<int> count(1);
  count_plainly<<<1, 32>>>(count);
}

__global__ void sum_of_blocks(const int* in, int* partial, unsigned* done, int* out) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;  // and no __threadfence() before
  }
  __syncthreads();
  if (is_last && threadIdx.x < gridDim.x) {
    atomicAdd(out, partial[threadIdx.x]);  // finds: global-race
  }
}
void last_block_without_fence() {
  Device<int> in(4), partial(4), out(1);
  Device<unsigned> done(1);
  sum_of_blocks<<<4, 32>>>(in, partial, done, out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"missing-barrier", missing_barrier},
                      {"reused-too-early", reused_too_early},
                      {"everybody-writes", everybody_writes},
                      {"in-a-template", in_a_template},
                      {"warp-without-syncwarp", warp_without_syncwarp},
                      {"shuffle-is-no-fence", shuffle_is_no_fence},
                      {"between-blocks", between_blocks},
                      {"in-place-shift", in_place_shift},
                      {"count-without-atomics", count_without_atomics},
                      {"last-block-without-fence", last_block_without_fence}};
  return run_bugs(bugs, argc, argv);
}
