#pragma once
// Edits in the bodies of functions that only the device runs.

#include <set>
#include <string_view>
#include <vector>

#include "simt/rewrite/edited_source.h"

namespace kv::simt {

// The bodies of functions that are __global__ or __device__, and not __host__; and #if ... #endif
// around nothing but such functions.
class DeviceCode {
 public:
  explicit DeviceCode(const EditedSource& code);

  bool has_token(std::size_t i) const { return is_device_[i]; }
  // Whether such a body uses this name, itself or through a macro of the file.
  bool uses(std::string_view name) const { return names_.contains(name); }
  // Whether a token that begins in source[begin, end) is in such a body. Its open brace is.
  bool has_any(std::size_t begin, std::size_t end) const;

 private:
  struct Condition {
    std::vector<std::size_t> directives = {};  // #if, #else, #endif
    bool has_device_code = false, has_other_code = false;
  };
  void find_names();
  void mark_conditions();
  void mark(const Condition& condition);

  const EditedSource& code_;
  std::vector<bool> is_device_;  // for each token
  std::set<std::string_view> names_;
};

// nvcc compiles device code for an architecture, and __CUDA_ARCH__ is its number; host code has no
// such macro. One compilation makes both here, so the number is written into device code: 800, as
// for sm_80. The heap of kernels becomes names of not_here.h, and a "return;" that is not the last
// statement says so to the runtime: a barrier does not wait for its thread.
void rewrite_device_code(EditedSource& code, const DeviceCode& device);

// What a declaration's qualifiers say, also those that a macro of the file stands for:
//
//   #define DEVICE __device__ inline

enum Side : unsigned { kNeither = 0, kHost = 1, kDevice = 2 };

class Qualifiers {
 public:
  explicit Qualifiers(const EditedSource& code);

  // kDevice: __device__ or __global__; kHost: __host__; or both.
  unsigned side_of(std::string_view word) const {
    return (device_.contains(word) ? kDevice : 0u) | (host_.contains(word) ? kHost : 0u);
  }

 private:
  std::set<std::string_view> device_ = {"__device__", "__global__"};
  std::set<std::string_view> host_ = {"__host__"};
};

// What the host's compiler has to be told about device code, because CUDA's keywords mean nothing
// to it. Every __device__ variable, and every __constant__ one without an initializer, gets a
// section of its own, by which it differs from the host's variables:
//
//   __device__ int total;
//   KV_SIMT_SECTION("kv_simt_device") int total;
//
// and a kernel with __launch_bounds__ compares them with its block:
//
//   __global__ void __launch_bounds__(128) scale(float* x) {
//   __global__ void __launch_bounds__(128) scale(float* x) { ::kv::simt::check_launch_bounds(128);

void rewrite_device_variables(EditedSource& code);
void rewrite_launch_bounds(EditedSource& code);

// The specifiers of a declaration, in any order that nvcc takes. Dynamic shared memory becomes a
// pointer (rewrite.h). C++ wants alignas(16) and [[maybe_unused]] before all others; nvcc takes
// them after __shared__ and __global__, too, because those are attributes for it.
void rewrite_dynamic_shared(EditedSource& code);
void rewrite_attributes(EditedSource& code);

// asm volatile("add.f16x2 %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b)) is PTX in a kernel. It becomes a
// call, whose arguments stay on their lines:
//
//   ::kv::simt::ptx::run([](std::uint64_t* r) {...} , ::kv::simt::ptx::out(c) ,
//   ::kv::simt::ptx::in(a), ...)

// `i` is the token "asm". Returns whether it is such a call now. In device code, PTX that is not
// known becomes a name of not_here.h; without text it is a hint for the optimizer, and stays.
bool rewrite_asm(EditedSource& code, std::size_t i, bool is_device);

}  // namespace kv::simt
