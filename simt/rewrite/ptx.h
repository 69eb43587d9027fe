#pragma once
// PTX as C++. "fma.rn.f16x2 %0, %1, %2, %3;" becomes a statement on the registers r[0] to r[3],
// which simt/include/simt/ptx.h defines.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kv::simt {

// what() is the statement that is not there.
class UnknownPtx : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What ptxas refuses: a register of another width or kind. what() says which and why.
class MismatchedPtx : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// On one line. `operand_types`: "b32" for an operand "r"; empty where it is no register.
// Throws UnknownPtx and MismatchedPtx.
std::string ptx_to_cpp(std::string_view text, const std::vector<std::string>& operand_types = {});

}  // namespace kv::simt
