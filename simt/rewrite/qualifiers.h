#pragma once
// What a declaration's qualifiers say, also those that a macro of the file stands for:
//
//   #define DEVICE __device__ inline

#include <set>
#include <string_view>

#include "simt/rewrite/edited_source.h"

namespace kv::simt {

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

}  // namespace kv::simt
