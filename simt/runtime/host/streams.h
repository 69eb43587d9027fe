#pragma once
// The work of a stream. It is done at once, or recorded for a graph.

#include <functional>
#include <memory>
#include <vector>

#include "simt/host_api.h"
#include "simt/runtime/core/findings.h"

namespace kv::simt {

using Work = std::function<cudaError_t()>;
struct RecordedWork {
  std::vector<Work> work = {};
  bool is_open = true;  // streams add to it
};
using Recording = std::shared_ptr<RecordedWork>;

struct Stream {
  Recording recording = {};  // none, or not open: the stream does its work at once
  std::size_t number;        // see stream_order.h
};

inline std::size_t number_of(cudaStream_t stream) {
  return stream == nullptr ? 0 : stream->number;
}

// Does the work, or records it.
cudaError_t submit(cudaStream_t stream, const Work& work, Site site);

// Whether the stream records.
inline bool is_recording(cudaStream_t stream) {
  return stream != nullptr && stream->recording != nullptr && stream->recording->is_open;
}

}  // namespace kv::simt
