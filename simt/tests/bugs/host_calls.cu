// Wrong calls of the host.

#include <cooperative_groups.h>

#include <vector>

#include "run_bugs.h"

__global__ void nothing() {}
void bad_launch() {
  nothing<<<1, 2000>>>();  // finds: bad-launch
}

void host_reads_device_memory() {
  Device<int> data(4);
#ifdef KV_SIMT                   // on a GPU it would end the program
  std::printf("%d\n", data[2]);  // finds: device-pointer-on-host
#endif
}

void copy_too_much() {
  std::vector<int> host(200);
  Device<int> data(100);
  cudaMemcpy(data, host.data(), 200 * sizeof(int), cudaMemcpyHostToDevice);  // finds: bad-call
}

void copy_the_wrong_way() {
  int host = 0;
  Device<int> data(1);
  cudaMemcpy(data, &host, sizeof host, cudaMemcpyDeviceToHost);  // finds: bad-call
}

void copy_from_the_host_as_if_from_the_device() {
  int host = 0;
  Device<int> data(1);
  cudaMemcpy(data, &host, sizeof host, cudaMemcpyDeviceToDevice);  // finds: bad-call
}

void copy_rows_wider_than_the_pitch() {
  int host[40];
  Device<int> data(40);
  cudaMemcpy2D(data, 8, host, 40, 40, 4, cudaMemcpyHostToDevice);  // finds: bad-call
}

void free_with_the_wrong_call() {
  int* data;
  cudaMallocHost(&data, 4);
  cudaFree(data);  // finds: bad-call
  cudaFreeHost(data);
}

__global__ void all_wait(int* data) {
  data[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();  // finds: grid-barrier
}
void grid_barrier_of_a_plain_launch() {
  Device<int> data(2);
  all_wait<<<2, 32>>>(data);
}

void free_twice() {
  int* data;
  cudaMalloc(&data, 4);
  cudaFree(data);
  cudaFree(data);  // finds: bad-call
}

void never_freed() {
  int* data;
  cudaMalloc(&data, 4);  // finds: leak
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"bad-launch", bad_launch},
                      {"host-reads-device-memory", host_reads_device_memory},
                      {"copy-too-much", copy_too_much},
                      {"copy-the-wrong-way", copy_the_wrong_way},
                      {"copy-within-the-device", copy_from_the_host_as_if_from_the_device},
                      {"copy-rows", copy_rows_wider_than_the_pitch},
                      {"free-with-the-wrong-call", free_with_the_wrong_call},
                      {"grid-barrier-of-a-plain-launch", grid_barrier_of_a_plain_launch},
                      {"free-twice", free_twice},
                      {"never-freed", never_freed}};
  return run_bugs(bugs, argc, argv);
}
