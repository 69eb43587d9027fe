// CUDA's host interface: its results, and which errors stay.

#include <cstdio>
#include <cstring>
#include <vector>

int num_wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++num_wrong;
  std::printf("not so: %s\n", what);
}

__constant__ float factors[4];
__device__ unsigned num_blocks_done;

__managed__ int total = 5;

__global__ void add_to_total(int value) {
  atomicAdd_system(&total, value);
}

__global__ void scale(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= factors[i % 4];
  if (threadIdx.x == 0) atomicAdd(&num_blocks_done, 1);
}

template <typename T>
__global__ void fill_shared(T* out) {
  extern __shared__ float scratch[];
  const int i = threadIdx.x;
  for (int k = i; k < 20000; k += blockDim.x) scratch[k] = k;
  __syncthreads();
  out[i] = scratch[19999 - i];
}

void check_copies() {
  const float host_factors[] = {1, 2, 3, 4};
  std::vector<float> host(1000, 1), back(1000);
  float *data, *copy;
  expect(cudaMalloc(&data, 4000) == cudaSuccess && cudaMalloc(&copy, 4000) == cudaSuccess, "room");
  cudaMemcpyToSymbol(factors, host_factors, sizeof host_factors);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(data, host.data(), 4000, cudaMemcpyHostToDevice, stream);
  scale<<<4, 256, 0, stream>>>(data, 1000);
  cudaMemcpyAsync(copy, data, 4000, cudaMemcpyDeviceToDevice, stream);
  cudaMemsetAsync(copy + 500, 0, 4, stream);
  cudaMemcpyAsync(back.data(), copy, 4000, cudaMemcpyDeviceToHost, stream);
  expect(cudaStreamSynchronize(stream) == cudaSuccess, "the stream ends well");
  expect(back[1] == 2 && back[3] == 4 && back[999] == 4 && back[500] == 0, "values");
  unsigned done = 0;
  cudaMemcpyFromSymbol(&done, num_blocks_done, sizeof done);
  expect(done == 4, "a __device__ variable counts the blocks");
  cudaStreamDestroy(stream);
  cudaFree(data);
  cudaFree(copy);
}

// A kernel has to request more than 48 KiB of shared memory.
void check_launch_config() {
  float* out;
  cudaMalloc(&out, 64 * sizeof(float));
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = dim3(64);
  config.dynamicSmemBytes = 80000;
  cudaFuncSetAttribute(fill_shared<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 80000);
  expect(cudaLaunchKernelEx(&config, fill_shared<float>, out) == cudaSuccess, "80 kB fit");
  float last = 0;
  cudaMemcpy(&last, out + 63, sizeof last, cudaMemcpyDeviceToHost);
  expect(last == 19999 - 63, "the launch with a config ran");
  cudaFree(out);
}

void check_managed_memory() {
  int* counts;
  cudaMallocManaged(&counts, 8 * sizeof(int));
  for (int i = 0; i < 8; ++i) counts[i] = i;
  cudaDeviceSynchronize();
  expect(counts[7] == 7, "both sides reach managed memory");
  cudaFree(counts);
}

// A managed variable, with host atomics beside a kernel: CUDA allows both where
// concurrentManagedAccess is 1.
void check_managed_variable() {
  add_to_total<<<1, 32>>>(1);
  __sync_fetch_and_add(&total, 3);
  cudaDeviceSynchronize();
  expect(total == 40, "a managed variable is of both sides");
}

void check_symbol_from_device() {
  const float host_factors[] = {5, 6, 7, 8};
  float *device_factors, back[4] = {};
  cudaMalloc(&device_factors, sizeof host_factors);
  cudaMemcpy(device_factors, host_factors, sizeof host_factors, cudaMemcpyHostToDevice);
  expect(cudaMemcpyToSymbol(factors, device_factors, sizeof host_factors) == cudaSuccess,
         "the default direction, from the device");
  cudaMemcpyFromSymbol(back, factors, sizeof back);
  expect(back[3] == 8, "values that were on the device");
  cudaFree(device_factors);
}

void check_events() {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  float milliseconds = -1;
  expect(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess, "events");
  expect(milliseconds >= 0, "time goes on");
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}

void check_device() {
  int count = 0;
  cudaDeviceProp properties;
  expect(cudaGetDeviceCount(&count) == cudaSuccess && count >= 1, "a device");
  expect(cudaGetDeviceProperties(&properties, 0) == cudaSuccess, "properties");
  expect(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024, "sizes");
}

void check_hints() {
  int overlaps = 0;
  cudaDeviceGetAttribute(&overlaps, cudaDevAttrGpuOverlap, 0);
  expect(overlaps > 0, "copies beside kernels");
  cudaMemPool_t pool;
  unsigned long long threshold = 1 << 20;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  expect(pool != nullptr && cudaDeviceGetDefaultMemPool(&pool, 1) == cudaErrorInvalidDevice,
         "the pool of a device that is there");
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  std::uint64_t kept = 0;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
  expect(kept == threshold, "a pool's threshold");
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* data;
  expect(cudaMallocFromPoolAsync(&data, 4000, pool, stream) == cudaSuccess, "a pool's memory");
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int window_bytes = 0;
  cudaDeviceGetAttribute(&window_bytes, cudaDevAttrMaxAccessPolicyWindowSize, 0);
  expect(properties.accessPolicyMaxWindowSize == window_bytes && window_bytes >= 4000,
         "a window of the L2 cache");
  expect(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, properties.persistingL2CacheMaxSize) ==
                 cudaSuccess &&
             properties.persistingL2CacheMaxSize <= properties.l2CacheSize,
         "a part of the L2 cache");
  cudaStreamAttrValue window = {};
  window.accessPolicyWindow = {data, 4000, 1.0f, cudaAccessPropertyPersisting,
                               cudaAccessPropertyStreaming};
  cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
  expect(cudaCtxResetPersistingL2Cache() == cudaSuccess, "the L2 cache is as before");
  cudaFreeAsync(data, stream);
  cudaStreamDestroy(stream);
}

__global__ void keep_1000(int* out) {
  __shared__ int numbers[1000];
  numbers[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = numbers[999 - threadIdx.x];
}

// A multiprocessor has 167,936 bytes. A block takes 1,024 more than it asks for, in units of 128.
void check_occupancy() {
  std::size_t bytes = 0;
  cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, scale, 6, 256);
  expect(bytes == 27904 - 1024, "the dynamic shared memory with which six blocks fit");
  cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, keep_1000, 6, 256);
  expect(bytes == 27904 - 1024 - 4000, "the same beside static memory");
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, keep_1000, 256, bytes);
  expect(blocks == 6, "so many fit");
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, keep_1000, 256, bytes + 1);
  expect(blocks == 5, "with one byte more each takes a unit more");
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, keep_1000);
  expect(attributes.sharedSizeBytes == 4000 && attributes.maxDynamicSharedSizeBytes == 45152,
         "static memory, and what is left of 48 KiB");
}

void check_errors() {
  expect(cudaSetDevice(1000) == cudaErrorInvalidDevice, "no such device");
  expect(cudaPeekAtLastError() == cudaErrorInvalidDevice, "an error is kept");
  expect(cudaGetLastError() == cudaErrorInvalidDevice, "until it is asked for");
  expect(cudaGetLastError() == cudaSuccess, "then it is gone");
  expect(std::strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0, "text");
  expect(std::strcmp(cudaGetErrorName(cudaErrorAssert), "cudaErrorAssert") == 0, "name");
  expect(std::strcmp(cudaGetErrorString(static_cast<cudaError_t>(715)),
                     "an illegal instruction was encountered") == 0,
         "the text of a rare error");
}

int main() {
  check_copies();
  check_launch_config();
  check_managed_memory();
  check_managed_variable();
  check_symbol_from_device();
  check_events();
  check_device();
  check_hints();
  check_occupancy();
  check_errors();
  if (num_wrong == 0) std::printf("all as the manual says\n");
  return num_wrong == 0 ? 0 : 1;
}
