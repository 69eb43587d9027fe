#pragma once
// Code that may crash, hang or leave does so in a forked child.

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

namespace kv::grader {

// How far a child came; written there, read here.
struct Progress {
  std::size_t num_runs = 0;   // that have ended
  std::size_t num_calls = 0;  // that have begun in the present one
};

// Runs `body` in a child, whose records and prints nobody sees. nullopt: it came back, and no
// expectation had failed. Otherwise how far it came, whatever stopped it.
std::optional<Progress> breaks_in_child(const std::function<void(Progress&)>& body);

// From now on this process has that much processor time until it calls this again.
// Used up: SIGPROF.
void allow_until_next_call(std::chrono::milliseconds time);

// Processor time of all children so far.
std::chrono::milliseconds time_in_children();

}  // namespace kv::grader
