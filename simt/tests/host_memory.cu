// Memory and copies of the host's interface beyond cudaMalloc and cudaMemcpy; graphs and questions
// about kernels.

#include <cstdio>
#include <vector>

int num_wrong = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++num_wrong;
  std::printf("not so: %s\n", what);
}

__global__ void double_rows(float* data, size_t pitch, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  float* const row = reinterpret_cast<float*>(reinterpret_cast<char*>(data) + y * pitch);
  row[x] *= 2;
}

__global__ void add(int* data, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by;
}

void check_rows() {
  float host[4][5], back[4][5];
  for (int i = 0; i < 20; ++i) host[i / 5][i % 5] = i;
  float* device;
  size_t pitch = 0;
  expect(cudaMallocPitch(&device, &pitch, 5 * sizeof(float), 4) == cudaSuccess, "rows");
  expect(pitch % 256 == 0 && pitch >= 20, "the pitch is a multiple of 256");
  cudaMemset2D(device, pitch, 0, 5 * sizeof(float), 4);
  cudaMemcpy2D(device, pitch, host, sizeof host[0], sizeof host[0], 4, cudaMemcpyHostToDevice);
  double_rows<<<1, dim3(8, 4)>>>(device, pitch, 5, 4);
  cudaMemcpy2DAsync(back, sizeof back[0], device, pitch, sizeof back[0], 4, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  expect(back[3][4] == 38 && back[1][2] == 14, "copies of rows");
  cudaFree(device);
}

// More elements than an int counts; no machine needs all this memory.
void check_many() {
  const size_t last = (size_t{1} << 31) + 5;
  int *many, back[2] = {};
  expect(cudaMalloc(&many, (last + 1) * sizeof(int)) == cudaSuccess, "8 GiB");
  cudaMemset(many + last - 63, 0, 64 * sizeof(int));
  add<<<2, 32>>>(many + last - 63, 64, 7);
  cudaMemcpy(back, many + last - 1, sizeof back, cudaMemcpyDeviceToHost);
  expect(back[0] == 7 && back[1] == 7, "elements after the first 2^31");
  cudaFree(many);
}

void check_pinned() {
  int *pinned, *mapped;
  expect(cudaMallocHost(&pinned, 64 * sizeof(int)) == cudaSuccess, "pinned memory");
  for (int i = 0; i < 64; ++i) pinned[i] = i;
  expect(cudaHostGetDevicePointer(&mapped, pinned, 0) == cudaSuccess, "its device pointer");
  add<<<2, 32>>>(mapped, 64, 100);
  cudaDeviceSynchronize();
  expect(pinned[63] == 163, "a kernel writes pinned memory");
  int* device;
  cudaMalloc(&device, 64 * sizeof(int));
  cudaMemcpy(device, pinned, 64 * sizeof(int), cudaMemcpyHostToDevice);
  add<<<2, 32>>>(device, 64, 1);
  cudaMemcpy(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
  expect(pinned[0] == 101, "copies of pinned memory");
  cudaPointerAttributes of_pinned, of_device;
  cudaPointerGetAttributes(&of_pinned, pinned);
  cudaPointerGetAttributes(&of_device, device);
  expect(of_pinned.type == cudaMemoryTypeHost && of_device.type == cudaMemoryTypeDevice, "types");
  cudaFree(device);
  cudaFreeHost(pinned);
  std::vector<int> ours(64, 5);
  expect(cudaHostRegister(ours.data(), 64 * sizeof(int), cudaHostRegisterMapped) == cudaSuccess,
         "registered memory");
  cudaHostGetDevicePointer(&mapped, ours.data(), 0);
  add<<<2, 32>>>(mapped, 64, 2);
  cudaDeviceSynchronize();
  expect(ours[63] == 7, "a kernel writes registered memory");
  cudaHostUnregister(ours.data());
}

void check_stream_order() {
  cudaStream_t stream;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, 0);
  int *data, host = 0;
  cudaMallocAsync(&data, 64 * sizeof(int), stream);
  cudaMemsetAsync(data, 0, 64 * sizeof(int), stream);
  add<<<2, 32, 0, stream>>>(data, 64, 3);
  cudaMemcpyAsync(&host, data + 63, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(
      stream, [](void* value) { *static_cast<int*>(value) *= 2; }, &host);
  cudaFreeAsync(data, stream);
  cudaStreamSynchronize(stream);
  expect(host == 6, "memory and a host function in the order of a stream");
  cudaStreamDestroy(stream);

  int* managed;
  cudaMallocManaged(&managed, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) managed[i] = i;
  cudaMemPrefetchAsync(managed, 64 * sizeof(int), {cudaMemLocationTypeDevice, 0}, 0);
  add<<<2, 32>>>(managed, 64, 1);
  cudaDeviceSynchronize();
  expect(managed[63] == 64, "managed memory, prefetched");
  cudaFree(managed);
}

void check_graph() {
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  int *data, host = -1;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  add<<<2, 32, 0, stream>>>(data, 64, 5);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork, 0);
  add<<<2, 32, 0, other>>>(data, 64, 7);
  cudaEventRecord(join, other);
  cudaStreamWaitEvent(stream, join, 0);
  cudaMemcpyAsync(&host, data, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  expect(cudaStreamEndCapture(stream, &graph) == cudaSuccess, "the end of a capture");
  expect(host == -1, "a captured stream does nothing yet");
  expect(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess, "a graph to run");
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  expect(host == 36, "a graph that runs three times");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  add<<<2, 32, 0, other>>>(data, 64, 1);
  cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost);
  expect(host == 37, "after the capture the streams work again");
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  cudaFree(data);
}

void check_queries() {
  int blocks = 0, min_grid = 0, block_size = 0, cooperative = 0;
  expect(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0) == cudaSuccess &&
             blocks == 8,
         "8 blocks of 256 threads fit");
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 128, 40000);
  expect(blocks >= 4 && blocks <= 5, "shared memory limits them");
  expect(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block_size, add, 0, 0) == cudaSuccess &&
             block_size == 1024 && min_grid > 0,
         "the best block size");
  cudaFuncAttributes attributes;
  expect(cudaFuncGetAttributes(&attributes, add) == cudaSuccess &&
             attributes.maxThreadsPerBlock == 1024,
         "attributes of a kernel");
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, 0);
  expect(cooperative == 1, "cooperative launches");
}

void check_device() {
  int mode = -1, is_integrated = -1;
  cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0);
  cudaDeviceGetAttribute(&is_integrated, cudaDevAttrIntegrated, 0);
  expect(mode == cudaComputeModeDefault && is_integrated == 0, "a device that all may use");
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  expect(
      device.concurrentKernels && device.asyncEngineCount > 0 && device.streamPrioritiesSupported,
      "what every GPU can do");
#ifdef KV_SIMT
  expect(device.sharedMemPerBlockOptin == 166912 && device.l2CacheSize == 40 << 20 &&
             device.memoryBusWidth == 5120,
         "the numbers of an A100");
#endif
}

int main() {
  check_rows();
  check_many();
  check_pinned();
  check_stream_order();
  check_graph();
  check_device();
  check_queries();
  std::printf("host memory: %s\n", num_wrong == 0 ? "all as the manual says" : "wrong");
  return num_wrong;
}
