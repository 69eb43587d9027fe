#pragma once
// What a library prints before it calls abort, in words for a student.

#include <optional>
#include <string>

namespace kv::grader {

struct AbortMessage {
  std::string sentence;         // "index past the end of a std::span"
  bool is_of_the_heap = false;  // found long after the mistake, in another function
};

// The first such message in the output of a program.
std::optional<AbortMessage> abort_message(const std::string& output);

// The text of an exception of the standard library: "vector::_M_range_check: __n (which is 5) >=
// ..." becomes "index 5 past the end of a std::vector of size 2". Other texts stay as they are.
std::string exception_text(const std::string& text);

// The output without the lines that abort_message translates.
std::string without_abort_messages(const std::string& output);

}  // namespace kv::grader
