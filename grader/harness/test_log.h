#pragma once
// What a test says about itself, so that its failure tells a story: what it checks, what it did,
// step by step, and what came of each step. The last steps survive a crash and a hang.
//
// `code` is the same as a line of a test. Of a history that was shrunk, the story ends with a test
// that makes the same calls, ready to be pasted.

#include <concepts>
#include <string_view>

namespace kv::grader {

// First line of every test. heading: the README heading that states what is pinned; `./lab test`
// checks that it exists.
#define SPEC(what, heading) ::kv::grader::spec((what), (heading))
void spec(std::string_view what, std::string_view heading);

// The state before the first step: "free [0 1 2 3]". What was told before is forgotten.
void log_start(std::string_view state, std::string_view code = "");

// The call that comes next, before it is made: "remove(#2)". A crash leaves it without a result.
void log_step(std::string_view call, std::string_view code = "");

// What came of that call: "free [0 1 3]".
void log_result(std::string_view state);

// In a process that only finds out whether a history breaks, nobody will hear the story: what takes
// long to draw need not be drawn.
bool is_recording();
void mute();

// What is expected of the state now: "queue.expect_free({0, 1, 3});".
void log_expectation(std::string_view code);
template <std::invocable Code>
void log_expectation(Code code) {
  if (is_recording()) log_expectation(std::string_view(code()));
}

// The story will be that of a history. found: how it was found, told first; replay: the command
// that lives it again, told last.
void log_as_found(std::string_view found, std::string_view replay);

// Tells the story so far: over the channel, or to standard output when there is none.
// Safe inside a signal handler.
void emit_log();

// Begins an empty story.
void clear_log();

// From now on a fatal signal, the end of the allowed time and exit() tell the story first.
void install_crash_handler();

}  // namespace kv::grader
