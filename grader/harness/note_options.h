#pragma once
// What random calls are given, for the kit's own check that every field is varied, and that every
// pair of options is met: grader/proof/check/options_met.cpp.

#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace kv::grader {

struct Option {
  std::string_view field;
  std::size_t value;  // 0: the option is off
};

// The options of one call. A line of the file that KV_OPTIONS names; nothing without one.
void note_options(std::initializer_list<Option> options);

}  // namespace kv::grader
