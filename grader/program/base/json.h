#pragma once
// The JSON type of the whole program. Keys keep their order in a file.

#include <nlohmann/json.hpp>

namespace kv::grader {

using Json = nlohmann::ordered_json;

}  // namespace kv::grader
