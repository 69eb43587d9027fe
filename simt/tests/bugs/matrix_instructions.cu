// ldmatrix and cp.async as inline PTX: addresses, lanes, and the wait and the barrier between them.

#include <cuda_fp16.h>

#include <cstdint>

#include "run_bugs.h"

__device__ uint32_t place_of(const void* shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

__global__ void read_before_the_wait(const __half* in, uint32_t* out) {
  __shared__ __align__(16) __half tile[8][8];
  const uint32_t place = place_of(tile[threadIdx.x % 8]);
  if (threadIdx.x < 8)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(in));
  asm volatile("cp.async.commit_group;");
  uint32_t pair;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // finds: unfinished-copy
               : "=r"(pair)
               : "r"(place));
  asm volatile("cp.async.wait_all;");
  out[threadIdx.x] = pair;
}
void no_wait() {
  Device<__half> in(8);
  Device<uint32_t> out(32);
  read_before_the_wait<<<1, 32>>>(in, out);
}

__global__ void wait_for_an_open_group(const __half* in, uint32_t* out) {
  __shared__ __align__(16) __half tile[8][8];
  const uint32_t place = place_of(tile[threadIdx.x % 8]);
  if (threadIdx.x < 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(in), "n"(16));
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  uint32_t pair;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // finds: unfinished-copy
               : "=r"(pair)
               : "r"(place));
  out[threadIdx.x] = pair;
}
void no_commit() {
  Device<__half> in(8);
  Device<uint32_t> out(32);
  wait_for_an_open_group<<<1, 32>>>(in, out);
}

__global__ void wait_without_barrier(const __half* in, uint32_t* out) {
  __shared__ __align__(16) __half tile[8][8];
  const uint32_t place = place_of(tile[threadIdx.x % 8]);
  tile[threadIdx.x / 8][threadIdx.x % 8] = 0;
  __syncthreads();
  if (threadIdx.x < 8)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"  // finds: shared-race
                 ::"r"(place),
                 "l"(in));
  asm volatile("cp.async.wait_all;");
  uint32_t pair;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"  // meets: shared-race
               : "=r"(pair)
               : "r"(place));
  out[threadIdx.x] = pair;
}
void no_barrier() {
  Device<__half> in(8);
  Device<uint32_t> out(64);
  wait_without_barrier<<<1, 64>>>(in, out);
}

__global__ void rows_of_seven(uint32_t* out) {
  __shared__ __align__(16) __half tile[8 * 7 + 8];
  for (int i = threadIdx.x; i < 64; i += 32) tile[i] = 0;
  __syncthreads();
  uint32_t pair;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // finds: misaligned
               : "=r"(pair)
               : "r"(place_of(tile + threadIdx.x % 8 * 7)));
  out[threadIdx.x] = pair;
}
void misaligned_row() {
  Device<uint32_t> out(32);
  rows_of_seven<<<1, 32>>>(out);
}

__global__ void nine_rows(uint32_t* out) {
  extern __shared__ __align__(16) __half rows[];
  for (int i = threadIdx.x; i < 64; i += 32) rows[i] = 0;
  __syncthreads();
  uint32_t pair;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // finds: out-of-bounds
               : "=r"(pair)
               : "r"(place_of(rows + (threadIdx.x % 8 + 1) * 8)));
  out[threadIdx.x] = pair;
}
void row_beyond_the_end() {
  Device<uint32_t> out(32);
  nine_rows<<<1, 32, 64 * sizeof(__half)>>>(out);
}

__global__ void first_lanes_only(uint32_t* out) {
  __shared__ __align__(16) __half tile[8][8];
  for (int i = threadIdx.x; i < 64; i += 32) tile[i / 8][i % 8] = 0;
  __syncthreads();
  uint32_t pair = 0;
  if (threadIdx.x < 8) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"  // finds: missing-lanes
                 : "=r"(pair)
                 : "r"(place_of(tile[threadIdx.x])));
  }
  __syncthreads();
  out[threadIdx.x] = pair;
}
void lanes_without_a_row() {
  Device<uint32_t> out(32);
  first_lanes_only<<<1, 32>>>(out);
}

__global__ void copy_a_part(const __half* in, __half* out, int n) {
  __shared__ __align__(16) __half tile[32][8];
  const uint32_t place = place_of(tile[threadIdx.x]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"  // finds: out-of-bounds
               ::"r"(place),
               "l"(in + threadIdx.x * 8));
  asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x][n % 8];
}
void no_source_size() {
  Device<__half> in(31 * 8 + 4);
  Device<__half> out(32);
  copy_a_part<<<1, 32>>>(in, out, 31 * 8 + 4);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"no-wait", no_wait},
                      {"no-commit", no_commit},
                      {"no-barrier", no_barrier},
                      {"misaligned-row", misaligned_row},
                      {"row-beyond-the-end", row_beyond_the_end},
                      {"lanes-without-a-row", lanes_without_a_row},
                      {"no-source-size", no_source_size}};
  return run_bugs(bugs, argc, argv);
}
