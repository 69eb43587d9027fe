// Memory that the kernel must not access, or that was never written.

#include "run_bugs.h"

__global__ void set_one(int* out) {
  *out = 1;  // finds: host-pointer in thread (0,0,0)
}
void host_pointer() {
  int here = 0;
  set_one<<<1, 1>>>(&here);
}

__global__ void set_first(int* out) {
  out[threadIdx.x] = 1;  // finds: null-pointer in thread (0,0,0)
}
void null_pointer() {
  set_first<<<1, 32>>>(nullptr);
}

__global__ void read_freed(const int* in, int* out) {
  *out = *in;  // finds: use-after-free in thread (0,0,0)
}
void use_after_free() {
  Device<int> out(1);
  int* in;
  cudaMalloc(&in, sizeof(int));
  cudaFree(in);
  read_freed<<<1, 1>>>(in, out);
}

__global__ void increment(int* counts) {
  counts[threadIdx.x]++;  // finds: uninitialized in thread (0,0,0)
}
void uninitialized_global() {
  Device<int> counts(32, false);
  increment<<<1, 32>>>(counts);
}

__global__ void read_unset_shared(int* out) {
  __shared__ int values[32];
  if (threadIdx.x < 31) values[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];  // finds: uninitialized in thread (31,0,0)
}
void uninitialized_shared() {
  Device<int> out(32);
  read_unset_shared<<<1, 32>>>(out);
}

__constant__ int limits[4] = {1, 2, 3, 4};
__global__ void change_limit(const int* limit, int* out) {
  out[0] = limits[0];
  const_cast<int*>(limit)[0] = 5;  // finds: write-to-constant in thread (0,0,0)
}
void write_constant() {
  Device<int> out(1);
  int* limit;
  cudaGetSymbolAddress(reinterpret_cast<void**>(&limit), limits);
  change_limit<<<1, 1>>>(limit, out);
}

__global__ void share_local(int** pointer, int* out) {
  int mine = threadIdx.x;
  if (threadIdx.x == 0) *pointer = &mine;
  __syncthreads();
  out[threadIdx.x] = **pointer;  // finds: local-memory-of-another-thread in thread (1,0,0)
}
void local_of_another_thread() {
  Device<int*> pointer(1);
  Device<int> out(2);
  share_local<<<1, 2>>>(pointer, out);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"host-pointer", host_pointer},
                      {"null-pointer", null_pointer},
                      {"use-after-free", use_after_free},
                      {"uninitialized-global", uninitialized_global},
                      {"uninitialized-shared", uninitialized_shared},
                      {"write-constant", write_constant},
                      {"local-of-another-thread", local_of_another_thread}};
  return run_bugs(bugs, argc, argv);
}
