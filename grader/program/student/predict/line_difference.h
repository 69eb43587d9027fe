#pragma once
// Compares what a student predicts with what a program prints.

#include <optional>
#include <string>
#include <vector>

namespace kv::grader {

// The line without what has no meaning: "Free : [#3, 4]" is the line "free: 3 4", and 20.0 is 20.
std::string plain_line(const std::string& line);

struct LineDifference {
  std::size_t number;  // of the line, from 1
  std::optional<std::string> yours;
  std::optional<std::string> other;  // one of the two is there, or both are
};

// The first line that differs by more than what plain_line leaves out.
std::optional<LineDifference> first_difference(const std::vector<std::string>& yours,
                                               const std::vector<std::string>& other);

}  // namespace kv::grader
