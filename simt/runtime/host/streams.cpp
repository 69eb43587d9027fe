// Streams and events. All work is done when the call that asks for it returns.

#include "simt/runtime/host/streams.h"

#include <chrono>
#include <cstdio>

#include "simt/runtime/host/device.h"

namespace kv::simt {

struct Event {
  Recording recording = {};  // of the stream in which it is
  std::chrono::steady_clock::time_point when = {};
  bool is_recorded = false;
};

}  // namespace kv::simt

using kv::simt::device;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  *stream = new kv::simt::Stream;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return cudaStreamCreate(stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return device.synchronize();
}
cudaError_t cudaStreamQuery(cudaStream_t) {
  return device.synchronize();
}
// A stream that waits for an event of a recording becomes a part of the recording.
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  const bool is_recorded =
      event != nullptr && event->recording != nullptr && event->recording->is_open;
  if (stream != nullptr && is_recorded) stream->recording = event->recording;
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
  return device.sticky_error();
}

cudaError_t cudaEventSynchronize(cudaEvent_t) {
  return device.synchronize();
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  return device.synchronize();
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
