#pragma once
// From a history that breaks something to the shortest one that still does.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "grader/harness/choices.h"

namespace kv::grader {

using Sizes = std::vector<std::size_t>;

// What to do in a world of these sizes. A call is a list of numbers, and every list is a call: the
// world reads them as choices among what is there. So whatever is left out, what remains is a
// history.
struct History {
  Sizes sizes;  // each at least 1: how many blocks, how many tokens in a block
  std::vector<Numbers> calls;
};

// Lives a history. After how many calls did it break? nullopt: it did not.
using Breaks = std::function<std::optional<std::size_t>(const History&)>;

// `history` breaks. So does the result, and nothing tried here makes it shorter.
History shortest(History history, const Breaks& breaks);

}  // namespace kv::grader
