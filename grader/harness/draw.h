#pragma once
// A list as the texts draw it: [0 1 2 3].

#include <string>

namespace kv::grader {

template <class Ids>
std::string draw(const Ids& ids) {
  std::string text;
  for (const auto& id : ids) text += (text.empty() ? "" : " ") + std::to_string(id);
  return "[" + text + "]";
}

}  // namespace kv::grader
