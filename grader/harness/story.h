#pragma once
// What a test says about itself, so that its failure tells a story: what it pins, what it did, step
// by step, and what came of each step. The last steps survive a crash and a hang.

#include <string_view>

namespace kv::grader {

// First line of every test. heading: the README heading that states what is pinned; `./lab test`
// checks that it exists.
#define PINS(what, heading) ::kv::grader::pins((what), (heading))
void pins(std::string_view what, std::string_view heading);

// The state before the first step: "free [0 1 2 3]".
void start(std::string_view state);

// The call that comes next, before it is made: "remove(#2)". A crash leaves it without a result.
void step(std::string_view call);

// What came of that call: "free [0 1 3]".
void result(std::string_view state);

// Tells the story so far: over the channel, or to standard output when there is none.
// Safe inside a signal handler.
void tell_story();

// Begins an empty story.
void forget_story();

// From now on a fatal signal, the end of the allowed time and exit() tell the story first.
void leave_last_words();

}  // namespace kv::grader
