#pragma once
// A state as an event of the stream /events: docs/serve.md has its fields.

#include <nlohmann/json.hpp>

#include "apps/serve/engine/engine_state.h"
#include "apps/speaker/speaker.h"

namespace kv::serve {

// earlier: the state of the reader's last event; null: this is the first, and has no changes.
nlohmann::json event_of(const EngineState& state,
                        const EngineState* earlier,
                        const Speaker& speaker);

}  // namespace kv::serve
