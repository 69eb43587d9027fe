#pragma once
// Edits in the bodies of functions that only the device runs.

#include <vector>

#include "simt/rewrite/edited_source.h"

namespace kv::simt {

// The bodies of functions that are __global__ or __device__, and not __host__; and #if ... #endif
// around nothing but such functions.
class DeviceCode {
 public:
  explicit DeviceCode(const EditedSource& code);

  bool has_token(std::size_t i) const { return is_device_[i]; }
  // Whether a token that begins in source[begin, end) is in such a body. Its open brace is.
  bool has_any(std::size_t begin, std::size_t end) const;

 private:
  struct Condition {
    std::vector<std::size_t> directives = {};  // #if, #else, #endif
    bool has_device_code = false, has_other_code = false;
  };
  void mark_conditions();
  void mark(const Condition& condition);

  const EditedSource& code_;
  std::vector<bool> is_device_;  // for each token
};

// nvcc compiles device code for an architecture, and __CUDA_ARCH__ is its number; host code has no
// such macro. One compilation makes both here, so the number is written into device code: 800, as
// for sm_80. The heap of kernels becomes names of not_here.h.
void rewrite_device_code(EditedSource& code, const DeviceCode& device);

}  // namespace kv::simt
