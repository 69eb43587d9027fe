#pragma once
// Runs code that may crash, hang or exit in a forked child process.

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

namespace kv::grader {

// How far a child has come: the child writes it, the parent reads it.
struct Progress {
  std::size_t num_runs = 0;   // that have ended
  std::size_t num_calls = 0;  // that have begun in the present one
};

// Runs `body` in a child that records nothing and prints nothing. nullopt: it returned, and no
// expectation has failed. Otherwise how far it came, whatever stopped it.
std::optional<Progress> breaks_in_child(const std::function<void(Progress&)>& body);

// This process may use that much processor time until it calls this again; then it gets SIGPROF.
void allow_until_next_call(std::chrono::milliseconds time);

// Processor time of all children so far.
std::chrono::milliseconds time_in_children();

}  // namespace kv::grader
