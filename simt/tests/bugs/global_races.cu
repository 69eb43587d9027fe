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

int main(int argc, char** argv) {
  const Bug bugs[] = {{"between-blocks", between_blocks},
                      {"in-place-shift", in_place_shift},
                      {"count-without-atomics", count_without_atomics},
                      {"last-block-without-fence", last_block_without_fence}};
  return run_bugs(bugs, argc, argv);
}
