#pragma once
// Ids the way the texts draw them, [0 1 2 3] and #0, #1, and the way a test is written: {0, 1}.

#include <string>
#include <string_view>

namespace kv::grader {

template <class Ids>
std::string joined(const Ids& ids, std::string_view before_each, std::string_view between) {
  std::string text;
  for (const auto& id : ids) {
    if (!text.empty()) text += between;
    text += before_each;
    text += std::to_string(id);
  }
  return text;
}

template <class Ids>
std::string draw(const Ids& ids) {
  return "[" + joined(ids, "", " ") + "]";
}

template <class Ids>
std::string draw_blocks(const Ids& ids) {
  return joined(ids, "#", ", ");
}

template <class Ids>
std::string code_of(const Ids& ids) {
  return "{" + joined(ids, "", ", ") + "}";
}

}  // namespace kv::grader
