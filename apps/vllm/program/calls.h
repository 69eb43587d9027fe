#pragma once
// The calls that the classes of Python make: a line ["popleft", 3] is one, and a line is its
// answer.

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace kv::vllm {

using Json = nlohmann::json;

class Objects;

// call: the name, then the arguments.
using Calls = std::map<std::string, std::function<Json(Objects&, const Json& call)>>;

void add_queue_calls(Calls& calls);
void add_hash_calls(Calls& calls);
void add_pool_calls(Calls& calls);
void add_manager_calls(Calls& calls);
void add_scheduler_calls(Calls& calls);

}  // namespace kv::vllm
