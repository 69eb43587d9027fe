// Graphs, and functions of the host in a stream.

#include "simt/runtime/host/device.h"
#include "simt/runtime/host/streams.h"

namespace kv::simt {

struct Graph {
  Recording recording;
};
struct GraphExec {
  Recording recording;
};

cudaError_t submit(cudaStream_t stream, const Work& work) {
  if (!is_recording(stream)) return work();
  stream->recording->work.push_back(work);
  return cudaSuccess;
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return submit(stream, [=] {
    function(data);
    return cudaSuccess;
  });
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

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t) {
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
