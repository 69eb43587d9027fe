#pragma once
// The JSON type of the whole program. Keys keep their order in a file.

#include <nlohmann/json.hpp>
#include <string>

namespace kv::grader {

using Json = nlohmann::ordered_json;

// indent: -1 for one line. Why replace: what a student's code prints need not be UTF-8, and JSON
// has to be.
inline std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace kv::grader
