#pragma once
// From the options to a model, its requests, and an engine that has room for them.

#include <vector>

#include "07-serving/engine.h"
#include "apps/generate/options.h"
#include "apps/speaker/speaker.h"

namespace kv::generate {

// A request for each prompt, with its number as id: "1", "2" and so on.
// Throws InputError for a prompt that leaves no room for an answer.
std::vector<ServedRequest> requests_of(const Options& options, const Speaker& speaker);

// Throws InputError when there are too few blocks for one of the requests, or too many for this
// machine.
EngineConfig engine_config(const Options& options,
                           const LlamaConfig& llama,
                           const std::vector<ServedRequest>& requests);

}  // namespace kv::generate
