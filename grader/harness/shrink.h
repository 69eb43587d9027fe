#pragma once
// From a history that breaks something to the shortest one that still does.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace kv::grader {

using Sizes = std::vector<std::size_t>;

// What to do in a world of these sizes. A call is one number, and every number is a call: the world
// reads it modulo what is there (digits.h). So whatever is left out, what remains is a history.
struct History {
  Sizes sizes;  // each at least 1: how many blocks, how many tokens in a block
  std::vector<std::uint64_t> calls;
};

// Lives a history. After how many calls did it break? nullopt: it did not.
using Breaks = std::function<std::optional<std::size_t>(const History&)>;

// `history` breaks. So does the result, and nothing tried here makes it shorter.
History shortest(History history, const Breaks& breaks);

}  // namespace kv::grader
