#pragma once
// JSON as the whole program reads and writes it: what is written keeps its order.

#include <nlohmann/json.hpp>

namespace kv::grader {

using Json = nlohmann::ordered_json;

}  // namespace kv::grader
