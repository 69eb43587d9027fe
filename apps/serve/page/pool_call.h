#pragma once
// What a call of /pool asks for: an engine with another pool.

#include <nlohmann/json.hpp>
#include <string>

#include "07-serving/engine.h"
#include "apps/speaker/speaker.h"

namespace kv::serve {

// now: of the engine that is to be replaced; what the body does not name stays. Throws ApiError.
EngineConfig read_pool_call(const std::string& body,
                            const EngineConfig& now,
                            const Speaker& speaker);

// The answer: the pool that there is now.
nlohmann::json json_of(const EngineConfig& config);

// "vllm_0_22" or "vllm_0_33".
std::string name_of(Rules rules);

}  // namespace kv::serve
