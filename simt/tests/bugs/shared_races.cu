// Threads of a block that do not wait for each other.

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

__global__ void pass_on(int* out) {
  __shared__ int ring[32];
  ring[threadIdx.x] = threadIdx.x;
  __syncwarp();
  for (int round = 0; round < 2; ++round) {
    int next = ring[(threadIdx.x + 1) % 32];
    if (round == 0) __syncwarp();
    ring[threadIdx.x] = next;  // finds: shared-race
    __syncwarp();
  }
  out[threadIdx.x] = ring[threadIdx.x];
}
void one_syncwarp_of_two() {
  Device<int> out(32);
  pass_on<<<1, 32>>>(out);
}

// A ballot orders nothing, but all lanes wait for it.
__global__ void halve(float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 1;
  __syncthreads();
  if (threadIdx.x > 0) out[threadIdx.x] = sum;  // meets: shared-race
  __ballot_sync(0xffffffffu, 1);
  if (threadIdx.x == 0) sum /= 2;  // finds: shared-race
}
void writer_reads_first() {
  Device<float> out(32);
  halve<<<1, 32>>>(out);
}

__global__ void take_half(float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 1;
  __syncthreads();
  float half = threadIdx.x == 0 ? sum / 2 : 0;
  __ballot_sync(0xffffffffu, 1);
  if (threadIdx.x > 0) out[threadIdx.x] = sum;  // meets: shared-race
  __ballot_sync(0xffffffffu, 1);
  if (threadIdx.x == 0) sum -= half;  // finds: shared-race
}
void writer_reads_twice() {
  Device<float> out(32);
  take_half<<<1, 32>>>(out);
}

// Whole numbers, and halves of them in another warp. The first round has all its barriers.
__global__ void read_halves(int* out) {
  __shared__ int numbers[32];
  const short* halves = reinterpret_cast<const short*>(numbers);
  int lane = threadIdx.x % 32;
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x < 32) numbers[lane] = round;  // meets: shared-race
    if (round == 0) __syncthreads();
    if (threadIdx.x >= 32) out[threadIdx.x] = halves[2 * lane + 1];  // finds: shared-race
    __syncthreads();
  }
}
void halves_are_read() {
  Device<int> out(64);
  read_halves<<<1, 64>>>(out);
}

__global__ void write_halves(int* out) {
  __shared__ int numbers[32];
  short* halves = reinterpret_cast<short*>(numbers);
  int lane = threadIdx.x % 32;
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x < 32) numbers[lane] = lane;
    __syncthreads();
    if (threadIdx.x < 32) out[lane] = numbers[lane];  // meets: shared-race
    if (round == 0) __syncthreads();
    if (threadIdx.x >= 32) halves[2 * lane] = 1024;  // finds: shared-race
    __syncthreads();
  }
}
void halves_are_written() {
  Device<int> out(64);
  write_halves<<<1, 64>>>(out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"missing-barrier", missing_barrier},
                      {"reused-too-early", reused_too_early},
                      {"everybody-writes", everybody_writes},
                      {"in-a-template", in_a_template},
                      {"warp-without-syncwarp", warp_without_syncwarp},
                      {"shuffle-is-no-fence", shuffle_is_no_fence},
                      {"one-syncwarp-of-two", one_syncwarp_of_two},
                      {"writer-reads-first", writer_reads_first},
                      {"writer-reads-twice", writer_reads_twice},
                      {"halves-are-read", halves_are_read},
                      {"halves-are-written", halves_are_written}};
  return run_bugs(bugs, argc, argv);
}
