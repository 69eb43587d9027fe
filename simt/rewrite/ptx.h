#pragma once
// PTX as C++. "fma.rn.f16x2 %0, %1, %2, %3;" becomes a statement on the registers r[0] to r[3],
// which simt/include/simt/ptx.h defines.

#include <stdexcept>
#include <string>
#include <string_view>

namespace kv::simt {

// what() is the statement that is not there.
class UnknownPtx : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// On one line. Throws UnknownPtx.
std::string ptx_to_cpp(std::string_view text);

}  // namespace kv::simt
