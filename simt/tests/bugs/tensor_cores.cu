// Calls of nvcuda::wmma that not all lanes make in the same way, and what they do to memory.

#include <mma.h>

#include "run_bugs.h"

using namespace nvcuda;
using A = wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major>;
using B = wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;

__global__ void padded_by_one(const __half* in, float* out) {
  A a;
  wmma::load_matrix_sync(a, in, 17);  // finds: matrix-call in thread (31,0,0)
  out[threadIdx.x] = a.x[0];
}
void leading_dimension() {
  Device<__half> in(17 * 16);
  Device<float> out(32);
  padded_by_one<<<1, 32>>>(in, out);
}

__global__ void from_second_column(const __half* in, float* out) {
  A a;
  wmma::load_matrix_sync(a, in + 1, 32);  // finds: misaligned
  out[threadIdx.x] = a.x[0];
}
void misaligned_tile() {
  Device<__half> in(32 * 16);
  Device<float> out(32);
  from_second_column<<<1, 32>>>(in, out);
}

__global__ void half_of_the_lanes(float* out) {
  A a;
  B b;
  Sum sum;
  wmma::fill_fragment(a, 1.0f);
  wmma::fill_fragment(b, 1.0f);
  wmma::fill_fragment(sum, 0.0f);
  if (threadIdx.x < 16) wmma::mma_sync(sum, a, b, sum);  // finds: missing-lanes
  __syncthreads();
  out[threadIdx.x] = sum.x[0];
}
void divergent_product() {
  Device<float> out(32);
  half_of_the_lanes<<<1, 32>>>(out);
}

__global__ void small_block(float* out) {
  Sum sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);  // finds: matrix-call
}
void half_a_warp() {
  Device<float> out(256);
  small_block<<<1, 16>>>(out);
}

__global__ void own_address(const __half* in, float* out) {
  A a;
  wmma::load_matrix_sync(a, in + 16 * threadIdx.x, 16);  // finds: matrix-call
  out[threadIdx.x] = a.x[0];
}
void address_of_each_lane() {
  Device<__half> in(16 * 48);
  Device<float> out(32);
  own_address<<<1, 32>>>(in, out);
}

__global__ void read_at_once(float* out) {
  __shared__ __align__(32) float tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = 0;
  __syncwarp();
  Sum sum;
  wmma::fill_fragment(sum, 1.0f);
  wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major);   // meets: shared-race
  for (int i = threadIdx.x; i < 256; i += 32) out[i] = tile[i];  // finds: shared-race
}
void no_sync_after_store() {
  Device<float> out(256);
  read_at_once<<<1, 32>>>(out);
}

__global__ void store_over_itself(float* out) {
  Sum sum;
  wmma::fill_fragment(sum, float(threadIdx.x));
  wmma::store_matrix_sync(out, sum, 8, wmma::mem_row_major);  // finds: global-race
}
void lines_overlap() {
  Device<float> out(256);
  store_over_itself<<<1, 32>>>(out);
}

__global__ void load_too_much(const __half* in, float* out) {
  A a;
  wmma::load_matrix_sync(a, in, 24);  // finds: out-of-bounds
  out[threadIdx.x] = a.x[0];
}
void rows_beyond_the_end() {
  Device<__half> in(16 * 16);
  Device<float> out(32);
  load_too_much<<<1, 32>>>(in, out);
}

__global__ void load_unwritten(const __half* in, float* out) {
  A a;
  wmma::load_matrix_sync(a, in, 16);  // finds: uninitialized
  out[threadIdx.x] = a.x[0];
}
void unwritten_matrix() {
  Device<__half> in(16 * 16, false);
  Device<float> out(32);
  load_unwritten<<<1, 32>>>(in, out);
}

__global__ void add_to_nothing(float* out) {
  A a;
  B b;
  Sum sum;
  wmma::fill_fragment(a, 1.0f);
  wmma::fill_fragment(b, 1.0f);
  wmma::mma_sync(sum, a, b, sum);  // finds: uninitialized
  wmma::store_matrix_sync(out, sum, 16, wmma::mem_row_major);
}
void unset_accumulator() {
  Device<float> out(256);
  add_to_nothing<<<1, 32>>>(out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"leading-dimension", leading_dimension},
                      {"misaligned-tile", misaligned_tile},
                      {"divergent-product", divergent_product},
                      {"half-a-warp", half_a_warp},
                      {"address-of-each-lane", address_of_each_lane},
                      {"no-sync-after-store", no_sync_after_store},
                      {"lines-overlap", lines_overlap},
                      {"rows-beyond-the-end", rows_beyond_the_end},
                      {"unwritten-matrix", unwritten_matrix},
                      {"unset-accumulator", unset_accumulator}};
  return run_bugs(bugs, argc, argv);
}
