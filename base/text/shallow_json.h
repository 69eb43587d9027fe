#pragma once
// JSON that comes from outside. Copying or printing a value calls itself for each list in a list,
// so one that is nested deep enough ends the program: a bound is set while it is read.

#include <nlohmann/json.hpp>

namespace kv {

inline constexpr int kMostJsonDepth = 64;

class JsonTooDeep : public nlohmann::json::exception {
 public:
  JsonTooDeep() : exception(0, "lists and objects are nested more than 64 deep") {}
};

// text: a string, or a stream. Throws nlohmann::json::exception for what is not JSON or too deep.
template <class Json = nlohmann::json, class Text>
Json shallow_json(Text&& text) {
  const auto require_shallow = [](int depth, typename Json::parse_event_t, Json&) {
    if (depth > kMostJsonDepth) throw JsonTooDeep();
    return true;
  };
  return Json::parse(text, require_shallow);
}

}  // namespace kv
