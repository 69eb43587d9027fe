#pragma once
// KV_REQUIRE: refuses a call that breaks a rule of the contract.

#include <stdexcept>

namespace kv {

// Thrown by a refused call. The message names the broken rule, and the object that was called is as
// it was before the call.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace kv

// It comes before the first change of state, in starter/ and in solution/.
#define KV_REQUIRE(rule, condition)                        \
  do {                                                     \
    if (!(condition)) throw ::kv::ContractViolation(rule); \
  } while (false)
