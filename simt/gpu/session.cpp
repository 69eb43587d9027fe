// session.h for a program that runs on a GPU: there, nobody sees more than CUDA's own errors.

#include "simt/session.h"

#include <cuda_runtime.h>

#include <cstdlib>

namespace kv::simt {
namespace {

constexpr int kCountsTraffic = 3;  // read by grader/engine/gpu/nvidia_rows.cpp

}  // namespace

// Why the program ends: a GPU counts nothing here, and a count of 0 would pass as a small one.
void begin_session(ThreadOrder, bool counts_traffic) {
  if (counts_traffic) std::_Exit(kCountsTraffic);
}

Seen seen_in_session() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error == cudaSuccess) return {};
  SeenFinding finding;
  finding.kind = cudaGetErrorName(error);
  finding.what = cudaGetErrorString(error);
  return {.findings = {finding}, .lines = {}, .kernels = {}};
}

void name_memory(const void*, const std::string&, std::function<std::string(std::size_t)>) {}

}  // namespace kv::simt
