#pragma once
// What a student wants to know of a failure, without GoogleTest's own words around it.

#include <optional>
#include <string>
#include <string_view>

#include "grader/harness/endless.h"

namespace kv::grader {

// What an exception said that came out of a test; GoogleTest wraps it into words of its own.
inline std::optional<std::string> exception_in(const std::string& message) {
  constexpr std::string_view kThrew = "C++ exception with description \"";
  constexpr std::string_view kWhere = "\" thrown in the test body";
  if (!message.starts_with(kThrew)) return std::nullopt;
  const std::string what = message.substr(kThrew.size());
  return what.substr(0, what.find(kWhere));
}

// Why without a new line: GoogleTest 1.16 and newer end each message with one, older ones do not. A
// reason that a test did not give leaves a colon.
inline std::string without_wrapping(const std::string& message) {
  constexpr std::string_view kFailed = "Failed\n";
  if (const auto what = exception_in(message)) return draw_exception(*what);
  std::string text = message.starts_with(kFailed) ? message.substr(kFailed.size()) : message;
  while (text.ends_with('\n')) text.pop_back();
  if (text.ends_with(": ")) text.resize(text.size() - 2);
  return text;
}

}  // namespace kv::grader
