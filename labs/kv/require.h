#pragma once
// KV_REQUIRE: the caller broke a rule of the contract.

#include <stdexcept>

namespace kv {

// What a contract throws when it is misused. The message names the broken rule, and the object that
// was called is as it was before the call.
class ContractViolation : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace kv

// Stands above the first change of state, in starter/ and in solution/ alike.
#define KV_REQUIRE(rule, condition)                        \
  do {                                                     \
    if (!(condition)) throw ::kv::ContractViolation(rule); \
  } while (false)
