#pragma once
// From a history that breaks something to the shortest one that still does.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "grader/harness/choices.h"

namespace kv::grader {

using Sizes = std::vector<std::size_t>;

// Calls on an object of these sizes. A call is a list of numbers, and every list is a call: a
// ModelTest reads it as choices among what there is. So whatever calls are left out, the rest is a
// history.
struct History {
  Sizes sizes;  // each at least 1: how many blocks, how many tokens in a block
  std::vector<Numbers> calls;
  std::size_t num_objects = 1;  // if 2, the first number of a call says on which it is made
  bool looks_at_each_call = true;
};

// Runs a history. After how many calls did it break? nullopt: it did not.
using Breaks = std::function<std::optional<std::size_t>(const History&)>;

// `history` breaks. So does the result, and nothing tried here makes it shorter.
History shortest(History history, const Breaks& breaks);

}  // namespace kv::grader
