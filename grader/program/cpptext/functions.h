#pragma once
// Finds functions in formatted C++ text: one begins in the first column and ends with a "}" there.

#include <optional>
#include <string>
#include <vector>

namespace kv::grader {

struct FunctionText {
  std::size_t first_line;  // from 0
  std::size_t num_lines;
  std::vector<std::string> lines;
};

// The definition of `name` ("remove", or "CompactFreeQueue::remove").
std::optional<FunctionText> find_function(const std::string& source, const std::string& name);

// All definitions, in order.
std::vector<FunctionText> all_functions(const std::string& source);

}  // namespace kv::grader
