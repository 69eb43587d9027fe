#pragma once
// A history as text, for a second run of the same calls in another program.

#include <optional>
#include <string>

#include "grader/harness/shrink.h"

namespace kv::grader {

// Numbers only; each list begins with its length.
std::string text_of(const History& history);

// The inverse. nullopt for any other text.
std::optional<History> history_from(const std::string& text);

}  // namespace kv::grader
