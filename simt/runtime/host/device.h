#pragma once
// The device as the host sees it: errors, and how much shared memory each kernel may have.

#include <map>

#include "simt/host_api.h"

namespace kv::simt {

class Device {
 public:
  void start();  // before the first use

  // The last error, which cudaGetLastError takes away. A sticky one stays until the device is
  // reset.
  cudaError_t set_error(cudaError_t error);
  cudaError_t set_sticky_error(cudaError_t error);
  cudaError_t sticky_error() const { return sticky_error_; }
  cudaError_t take_error();
  cudaError_t last_error() const { return last_error_; }
  void reset();

  std::size_t max_shared_bytes(const void* kernel) const;
  void set_max_shared_bytes(const void* kernel, std::size_t bytes);

 private:
  bool is_started_ = false;
  cudaError_t last_error_ = cudaSuccess;
  cudaError_t sticky_error_ = cudaSuccess;
  std::map<const void*, std::size_t> max_shared_bytes_;
};

extern Device device;

// At the end of the program.
void find_leaks();

}  // namespace kv::simt
