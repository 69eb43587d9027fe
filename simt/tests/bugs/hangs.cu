// Kernels that never end: each is abandoned, and its loop is named.

#include "run_bugs.h"

__global__ void run_forever(int* out) {
  while (true) {  // finds: spin in thread (0,0,0)
  }
  *out = 1;
}
void empty_loop() {
  Device<int> out(1);
  run_forever<<<1, 1>>>(out);
}
void empty_loop_of_many() {
  Device<int> out(1);
  run_forever<<<2, 256>>>(out);
}

__global__ void find_power(int* out) {
  int x = threadIdx.x;
  while (x != -5) {  // finds: spin in thread (0,0,0)
    x = x * 2 + 2;
    if (x == -5) x = 1;
  }
  out[threadIdx.x] = x;
}
void arithmetic() {
  Device<int> out(32);
  find_power<<<1, 32>>>(out);
}

__global__ void shuffle_until(int* out, int wanted) {
  int value = threadIdx.x;
  while (value != wanted) {  // finds: spin in thread (0,0,0)
    value = __shfl_sync(0xffffffffu, value, 0);
  }
  out[threadIdx.x] = value;
}
void shuffles() {
  Device<int> out(64);
  shuffle_until<<<1, 64>>>(out, 100);
}

__global__ void reduce_to_zero(int* out) {
  __shared__ int sums[64];
  unsigned t = threadIdx.x;
  sums[t] = t;
  __syncthreads();
  for (unsigned half = 32; half >= 0; half /= 2) {  // finds: spin in thread (0,0,0)
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  out[t] = sums[0];
}
void barriers() {
  Device<int> out(64);
  reduce_to_zero<<<1, 64>>>(out);
}

__global__ void wait_for_flag(const volatile int* flag, int* out) {
  while (*flag == 0) {  // finds: spin in thread (0,0,0)
  }
  out[threadIdx.x] = 1;
}
template <int kThreads>
void flag_that_nobody_sets() {
  Device<int> flag(1), out(kThreads);
  wait_for_flag<<<1, kThreads>>>(flag, out);
}

__global__ void wait_in_one_lane(const volatile int* flag, int* out) {
  if (threadIdx.x == 37) {
    while (*flag == 0) {  // finds: spin in thread (37,0,0)
    }
  }
  __syncthreads();
  out[threadIdx.x] = 1;
}
void others_at_a_barrier() {
  Device<int> flag(1), out(256);
  wait_in_one_lane<<<1, 256>>>(flag, out);
}

__device__ unsigned shrink(unsigned x) {
  while (x != 1) {  // finds: spin
    x = x % 2 == 0 ? x / 2 : x * 5 + 1;
  }
  return x;
}
__global__ void shrink_all(unsigned* out) {
  out[threadIdx.x] = shrink(threadIdx.x + 1);
}
void device_function() {
  Device<unsigned> out(32);
  shrink_all<<<1, 32>>>(out);
}

__global__ void print_until(const volatile int* flag, int* out) {
  while (*flag == 0) {  // finds: spin
    printf("is it time?\n");
  }
  *out = 1;
}
void printing() {
  Device<int> flag(1), out(1);
  print_until<<<1, 1>>>(flag, out);
}

__global__ void iterate_sine(float* out) {
  float x = 1;
  while (x < 2) {  // finds: spin
    x = sinf(x) + 0.1f;
  }
  out[threadIdx.x] = x;
}
void library_function() {
  Device<float> out(32);
  iterate_sine<<<1, 32>>>(out);
}

__global__ void switch_on_and_off(volatile int* lamp) {
  do {
    *lamp = 0;  // finds: spin
    *lamp = 1;
  } while (*lamp == 1);
}
void memory_that_changes_back() {
  Device<int> lamp(1);
  switch_on_and_off<<<1, 1>>>(lamp);
}

__global__ void count_on(int* counter) {
  while (atomicAdd(counter, 1) >= 0) {  // finds: spin
  }
}
void counter() {
  Device<int> counter(1);
  count_on<<<1, 32>>>(counter);
}

__global__ void lock_twice(int* lock, int* out) {
  if (atomicCAS(lock, 0, 1) == 0) out[0] += 1;
  while (atomicCAS(lock, 0, 1) != 0) {  // finds: spin in thread (0,0,0)
  }
  out[0] += 1;
}
void lock_that_nobody_opens() {
  Device<int> lock(1), out(1);
  lock_twice<<<1, 32>>>(lock, out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"empty-loop", empty_loop},
                      {"empty-loop-of-many", empty_loop_of_many},
                      {"arithmetic", arithmetic},
                      {"shuffles", shuffles},
                      {"barriers", barriers},
                      {"flag-1", flag_that_nobody_sets<1>},
                      {"flag-32", flag_that_nobody_sets<32>},
                      {"flag-256", flag_that_nobody_sets<256>},
                      {"others-at-a-barrier", others_at_a_barrier},
                      {"device-function", device_function},
                      {"printing", printing},
                      {"library-function", library_function},
                      {"memory-that-changes-back", memory_that_changes_back},
                      {"counter", counter},
                      {"lock-that-nobody-opens", lock_that_nobody_opens}};
  return run_bugs(bugs, argc, argv);
}
