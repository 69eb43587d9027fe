#pragma once
// Tests that live random histories. A lab describes one call of its world; here it is lived in
// hundreds of times, and the shortest history that breaks it is the one that a student reads.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "grader/harness/choices.h"
#include "grader/harness/shrink.h"

namespace kv::grader {

// A student's object in lockstep with its oracle. What the oracle says is there decides what a call
// means, so a history means the same however wrong the student's object is.
class ModelTest {
 public:
  virtual ~ModelTest() = default;

  // Makes one call on both and compares everything.
  virtual void call(Choices choices) = 0;
};

struct Histories {
  std::size_t num_runs;
  std::size_t num_calls;                           // in each life
  std::function<Sizes(std::uint64_t seed)> sizes;  // of the world in which a life is lived
  std::function<std::unique_ptr<ModelTest>(const Sizes&)> create = {};
  std::string replay;  // what a student types to live one again; its seed follows
};

// Lives with the seeds history_seed(), history_seed() + 1, ... If one breaks a law, crashes or
// hangs, a shorter one is looked for, and the shortest is lived once more in this process. So its
// failure, crash or hang is this test's, and a debugger stops in it.
void expect_model_agrees(const Histories& histories);

template <class Test>
void expect_model_agrees(Histories histories) {
  histories.create = [](const Sizes& sizes) { return std::make_unique<Test>(sizes); };
  expect_model_agrees(std::as_const(histories));
}

}  // namespace kv::grader
