#include "simt/runtime/host/device.h"

#include "simt/runtime/core/machine.h"
#include "simt/runtime/core/signals.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/shared_memory.h"
#include "simt/runtime/report/report.h"

namespace kv::simt {

Device device;

void Device::start() {
  if (is_started_) return;
  is_started_ = true;
  machine.options = options_from_environment();
  shared_memory.start();
  catch_bad_signals();
  report_at_exit();
}

cudaError_t Device::set_error(cudaError_t error) {
  if (error != cudaSuccess) last_error_ = error;
  return error;
}

cudaError_t Device::set_sticky_error(cudaError_t error) {
  sticky_error_ = error;
  return set_error(error);
}

cudaError_t Device::take_error() {
  const cudaError_t error = last_error_;
  last_error_ = sticky_error_;
  return error;
}

void Device::reset() {
  last_error_ = sticky_error_ = cudaSuccess;
  for (Allocation& allocation : arena.allocations()) {
    if (allocation.freed_at == nullptr) arena.free(allocation, __builtin_return_address(0));
  }
}

std::size_t Device::max_shared_bytes(const void* kernel) const {
  const auto known = max_shared_bytes_.find(kernel);
  return known == max_shared_bytes_.end() ? kSharedBytes : known->second;
}

void Device::set_max_shared_bytes(const void* kernel, std::size_t bytes) {
  max_shared_bytes_[kernel] = bytes;
}

}  // namespace kv::simt
