// Streams, events and graphs. All work is done when the call that asks for it returns, or recorded
// for a graph.

#include "simt/runtime/host/streams.h"

#include <chrono>
#include <cstdio>

#include "simt/runtime/host/device.h"
#include "simt/runtime/memory/stream_order.h"

namespace kv::simt {

struct Event {
  Recording recording = {};  // its stream's recording, if it has one
  std::chrono::steady_clock::time_point when = {};
  bool is_recorded = false;
  StreamClock clock = {};
};

struct Graph {
  Recording recording;
};
struct GraphExec {
  Recording recording;
};

cudaError_t submit(cudaStream_t stream, const Work& work, Site site) {
  if (!is_recording(stream)) {
    stream_order.begin_work(number_of(stream), site);
    return work();
  }
  stream->recording->work.push_back(work);
  return cudaSuccess;
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  const bool is_blocking = (flags & cudaStreamNonBlocking) == 0;
  *stream = new kv::simt::Stream{{}, stream_order.add_stream(is_blocking)};
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  stream_order.host_waits(stream_order.clock_of(number_of(stream)));
  return device.synchronize();
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return cudaStreamSynchronize(stream);
}
// A stream that waits for an event of a recording becomes a part of the recording.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const bool is_recorded =
      event != nullptr && event->recording != nullptr && event->recording->is_open;
  if (stream != nullptr && is_recorded) stream->recording = event->recording;
  if (event != nullptr) stream_order.stream_waits(number_of(stream), event->clock);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new kv::simt::Event;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return cudaEventCreate(event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event == nullptr) return device.set_error(cudaErrorInvalidResourceHandle);
  event->recording = stream == nullptr ? nullptr : stream->recording;
  event->when = std::chrono::steady_clock::now();
  event->is_recorded = true;
  event->clock = stream_order.clock_of(number_of(stream));
  return device.sticky_error();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (event != nullptr) stream_order.host_waits(event->clock);
  return device.synchronize();
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  if (start == nullptr || stop == nullptr || !start->is_recorded || !stop->is_recorded) {
    return device.set_error(cudaErrorInvalidResourceHandle);
  }
  static bool is_printed = false;
  if (!is_printed)
    std::fprintf(stderr, "simt: a time measured here is the checker's, not a GPU's\n");
  is_printed = true;
  *milliseconds = std::chrono::duration<float, std::milli>(stop->when - start->when).count();
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const Site site = __builtin_return_address(0);
  return submit(
      stream,
      [=] {
        function(data);
        return cudaSuccess;
      },
      site);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void* data,
                                  unsigned) {
  callback(stream, device.sticky_error(), data);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = 0;
  *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr) {
    return device.refuse(cudaErrorStreamCaptureUnsupported, __builtin_return_address(0),
                         "the default stream cannot be captured; create a stream");
  }
  if (is_recording(stream)) return device.set_error(cudaErrorIllegalState);
  stream->recording = std::make_shared<RecordedWork>();
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (!is_recording(stream)) return device.set_error(cudaErrorIllegalState);
  stream->recording->is_open = false;
  *graph = new Graph{std::move(stream->recording)};
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = is_recording(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  *exec = new GraphExec{graph->recording};
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(
    cudaGraphExec_t* exec, cudaGraph_t graph, void*, char*, std::size_t) {
  return cudaGraphInstantiate(exec, graph, 0);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  stream_order.begin_work(number_of(stream), __builtin_return_address(0));
  for (const Work& work : exec->recording->work) {
    if (const cudaError_t error = work(); error != cudaSuccess) return error;
  }
  return device.sticky_error();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
