// Races in device memory, within a block and between blocks.

#include "run_bugs.h"

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

// values[0] is written before the fence, values[1] after it.
__global__ void fence_between(volatile int* flag, int* values, int* out, int* ticket) {
  if (atomicAdd(ticket, 1) == 0) {
    values[0] = 1;
    __threadfence();
    values[1] = 2;  // meets: global-race
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = values[0];
    out[1] = values[1];  // finds: global-race
  }
}
void a_fence_too_early() {
  Device<int> flag(1), values(2), out(2), ticket(1);
  fence_between<<<2, 1>>>(flag, values, out, ticket);
}

// The lanes that did not look at the flag are not told that the first one did.
__global__ void one_lane_looks(int* flag, int* values, int* ticket) {
  int lane = threadIdx.x, mine = 0;
  if (lane == 0) mine = atomicAdd(ticket, 1);
  mine = __shfl_sync(0xffffffffu, mine, 0);
  if (mine == 0) {
    values[lane] = lane;
    __syncwarp();
    __threadfence();
    if (lane == 0) atomicExch(flag, 1);
  } else {
    while (lane == 0 && atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    values[32 + lane] = values[31 - lane];  // finds: global-race
  }
}
void a_flag_for_one_lane() {
  Device<int> flag(1), values(64), ticket(1);
  one_lane_looks<<<2, 32>>>(flag, values, ticket);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"between-blocks", between_blocks},
                      {"in-place-shift", in_place_shift},
                      {"count-without-atomics", count_without_atomics},
                      {"last-block-without-fence", last_block_without_fence},
                      {"a-fence-too-early", a_fence_too_early},
                      {"a-flag-for-one-lane", a_flag_for_one_lane}};
  return run_bugs(bugs, argc, argv);
}
