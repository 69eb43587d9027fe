// Work in two streams that use the same memory, with nothing between them; and with something.

#include "run_bugs.h"

constexpr int kCount = 64;

__global__ void fill(int* data, int value) {
  data[threadIdx.x] = value;  // finds: stream-race
}
__global__ void add(const int* in, int* out) {
  out[threadIdx.x] += in[threadIdx.x];  // finds: stream-race
}

// The same kernels, for programs without a bug.
__global__ void fill_in_order(int* data, int value) {
  data[threadIdx.x] = value;
}
__global__ void add_in_order(const int* in, int* out) {
  out[threadIdx.x] += in[threadIdx.x];
}
__global__ void count(int* total) {
  atomicAdd(total, 1);
}

struct Streams {
  cudaStream_t first, second;
  explicit Streams(unsigned flags = cudaStreamNonBlocking) {
    cudaStreamCreateWithFlags(&first, flags);
    cudaStreamCreateWithFlags(&second, flags);
  }
  ~Streams() {
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
};

void nothing_between_two_kernels() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams;
  fill<<<1, kCount, 0, streams.first>>>(data, 1);
  add<<<1, kCount, 0, streams.second>>>(data, sum);
}

void a_kernel_overwrites_what_is_read() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams(cudaStreamDefault);
  add<<<1, kCount, 0, streams.first>>>(data, sum);
  fill<<<1, kCount, 0, streams.second>>>(data, 1);
}

void copy_before_the_kernel_is_done() {
  int* host;
  cudaMallocHost(&host, kCount * sizeof(int));
  Device<int> data(kCount);
  cudaDeviceSynchronize();
  const Streams streams;
  fill<<<1, kCount, 0, streams.first>>>(data, 2);
  const auto bytes = kCount * sizeof(int);
  cudaMemcpyAsync(host, data, bytes, cudaMemcpyDefault, streams.second);  // finds: stream-race
  cudaDeviceSynchronize();
  cudaFreeHost(host);
}

void default_stream_waits_for_no_such_stream() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams;
  fill<<<1, kCount, 0, streams.first>>>(data, 3);
  add<<<1, kCount>>>(data, sum);
}

void the_event_is_recorded_too_early() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams;
  cudaEvent_t done;
  cudaEventCreate(&done);
  cudaEventRecord(done, streams.first);
  fill<<<1, kCount, 0, streams.first>>>(data, 1);
  cudaStreamWaitEvent(streams.second, done, 0);
  add<<<1, kCount, 0, streams.second>>>(data, sum);
  cudaEventDestroy(done);
}

void the_input_is_cleared_while_it_is_read() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams;
  add_in_order<<<1, kCount, 0, streams.first>>>(data, sum);
  cudaMemsetAsync(data, 0, kCount * sizeof(int), streams.second);  // finds: stream-race
}

void events_of_three_streams() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams, more;
  cudaEvent_t filled, cleared;
  cudaEventCreate(&filled);
  cudaEventCreate(&cleared);
  cudaMemsetAsync(sum, 0, kCount * sizeof(int), more.first);
  cudaEventRecord(cleared, more.first);
  fill_in_order<<<1, kCount, 0, streams.first>>>(data, 4);
  cudaEventRecord(filled, streams.first);
  cudaStreamWaitEvent(streams.second, filled, 0);
  cudaStreamWaitEvent(streams.second, cleared, 0);
  add_in_order<<<1, kCount, 0, streams.second>>>(data, sum);
  cudaEventDestroy(filled);
  cudaEventDestroy(cleared);
}

void an_event_between() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams;
  cudaEvent_t done;
  cudaEventCreate(&done);
  fill_in_order<<<1, kCount, 0, streams.first>>>(data, 4);
  cudaEventRecord(done, streams.first);
  cudaStreamWaitEvent(streams.second, done, 0);
  add_in_order<<<1, kCount, 0, streams.second>>>(data, sum);
  cudaEventDestroy(done);
}

void the_host_waits_between() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams;
  fill_in_order<<<1, kCount, 0, streams.first>>>(data, 5);
  cudaStreamSynchronize(streams.first);
  add_in_order<<<1, kCount, 0, streams.second>>>(data, sum);
}

void default_stream_waits() {
  Device<int> data(kCount), sum(kCount);
  cudaDeviceSynchronize();
  const Streams streams(cudaStreamDefault);
  fill_in_order<<<1, kCount, 0, streams.first>>>(data, 6);
  add_in_order<<<1, kCount>>>(data, sum);
  fill_in_order<<<1, kCount, 0, streams.second>>>(data, 7);
}

void each_stream_has_its_part() {
  Device<int> data(2 * kCount);
  cudaDeviceSynchronize();
  const Streams streams;
  fill_in_order<<<1, kCount, 0, streams.first>>>(data, 8);
  fill_in_order<<<1, kCount, 0, streams.second>>>(data + kCount, 9);
}

void both_count_with_atomics() {
  Device<int> total(1);
  cudaDeviceSynchronize();
  const Streams streams;
  count<<<1, kCount, 0, streams.first>>>(total);
  count<<<1, kCount, 0, streams.second>>>(total);
}

int main(int argc, char** argv) {
  const Bug bugs[] = {{"two-kernels", nothing_between_two_kernels},
                      {"overwritten", a_kernel_overwrites_what_is_read},
                      {"copied-early", copy_before_the_kernel_is_done},
                      {"default-stream", default_stream_waits_for_no_such_stream},
                      {"recorded-early", the_event_is_recorded_too_early},
                      {"cleared-while-read", the_input_is_cleared_while_it_is_read},
                      {"three-streams", events_of_three_streams},
                      {"event-between", an_event_between},
                      {"host-waits", the_host_waits_between},
                      {"default-stream-waits", default_stream_waits},
                      {"own-parts", each_stream_has_its_part},
                      {"atomics", both_count_with_atomics}};
  return run_bugs(bugs, argc, argv);
}
