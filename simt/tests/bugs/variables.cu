// Variables of the host in kernels, and variables of the device on the host.

#include "run_bugs.h"

struct Shape {
  int rows, columns;
};
int num_rows = 3;
static float host_scales[4] = {1, 2, 3, 4};
const int kSmall = 7;
__device__ float device_scales[4] = {1, 2, 3, 4};
__device__ int total;
static __device__ const int kOffsets[3] = {1, 2, 3};
__constant__ float unset[4];
__constant__ float filled[4];
__constant__ int zeros[2] = {0, 0};
static inline __device__ int num_calls;
#define STATIC_DEVICE static __device__
#define COUNTER(name) __device__ int name
#define PAIR(T, name) __device__ T name[2] = {1, 2};
STATIC_DEVICE int last;
COUNTER(hits);
PAIR(const int, kPair)
PAIR(int, pair)
template <typename T>
__device__ T of_type = 1;

#ifdef KV_SIMT  // it does not compile this
__global__ void use_host_variable(int* out) {
  out[threadIdx.x] = num_rows;  // finds: host-variable in thread (0,0,0)
}
void host_variable() {
  Device<int> out(4);
  use_host_variable<<<1, 4>>>(out);
}

Shape host_shape = {2, 2};
__global__ void use_host_struct(int* out) {
  out[threadIdx.x] = host_shape.rows;  // finds: host-variable in thread (0,0,0)
}
void host_struct() {
  Device<int> out(4);
  use_host_struct<<<1, 4>>>(out);
}
#else
void host_variable() {}
void host_struct() {}
#endif

__global__ void copy_four(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];  // finds: host-variable in thread (0,0,0)
}
void pointer_to_host_array() {
  Device<float> out(4);
  copy_four<<<1, 4>>>(host_scales, out);
}

void host_reads_variable() {
#ifdef KV_SIMT       // it would read other memory
  int mine = total;  // finds: device-variable-on-host
  std::printf("%d\n", mine);
#endif
}

void copy_larger_than_symbol() {
  float values[5] = {};
  cudaMemcpyToSymbol(device_scales, values, sizeof values);  // finds: bad-call
}

__global__ void use_unset(float* out) {
  out[threadIdx.x] = unset[threadIdx.x];  // finds: constant-not-filled in thread (0,0,0)
}
void constant_not_filled() {
  Device<float> out(4);
  use_unset<<<1, 4>>>(out);
}

__device__ int digit(int i) {
  static const int digits[4] = {2, 7, 1, 8};
  static int calls[4];
  calls[i % 4] = i;
  return digits[i % 4] + calls[i % 4];
}
__global__ void use_own(float* out) {
  int i = threadIdx.x;
  out[i] = device_scales[i] + filled[i] + float(zeros[i % 2] + kOffsets[i % 3] + kSmall + digit(i));
  if (i == 0) total = last = hits = num_calls = of_type<int> = kPair[0] + pair[1] + 2;
}
void variables_of_the_device() {
  Device<float> out(4);
  const float values[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(filled, values, sizeof values);
  use_own<<<1, 4>>>(out);
  int five = 0;
  cudaMemcpyFromSymbol(&five, total, sizeof five);
  std::printf("%d\n", five);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"host-variable", host_variable},
                      {"host-struct", host_struct},
                      {"pointer-to-host-array", pointer_to_host_array},
                      {"host-reads-variable", host_reads_variable},
                      {"copy-larger-than-symbol", copy_larger_than_symbol},
                      {"constant-not-filled", constant_not_filled},
                      {"variables-of-the-device", variables_of_the_device}};
  return run_bugs(bugs, argc, argv);
}
