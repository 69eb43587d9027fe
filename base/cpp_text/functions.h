#pragma once
// The functions that a C++ text defines at namespace scope.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv::grader {

struct FunctionText {
  std::string name;                // "BlockPool::touch"
  std::string result;              // what is before the name: "void"; empty for a constructor
  std::size_t begin;               // its offset in the source, after a template header
  std::size_t open, close;         // offsets of its braces
  std::vector<std::string> lines;  // from there on
  std::size_t body_begin;          // the whole lines inside the braces, as offsets in the source;
  std::size_t body_end;            // equal when there are none
};

// All definitions, in order. Stops at a brace that nothing closes.
std::vector<FunctionText> all_functions(std::string_view source);

// The definition of `name` ("remove", or "CompactFreeQueue::remove").
std::optional<FunctionText> find_function(std::string_view source, const std::string& name);

}  // namespace kv::grader
