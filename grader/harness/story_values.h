#pragma once
// The values of a story as text. Allocates nothing, as story_text.h.

#include <cstdint>

#include "grader/harness/story.h"
#include "grader/harness/story_text.h"

namespace kv::grader {

// For a person, or as a line of a test.
enum class Style { kSentence, kCode };

void append_number(Line& line, std::uint64_t number);
void append_value(Line& line, const StoryRecord& record, const StoryField& field, Style style);

}  // namespace kv::grader
