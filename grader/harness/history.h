#pragma once
// Tests that make random calls. A lab describes one call; here it is made in hundreds of random
// histories, and a student reads the shortest one that still fails.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "grader/harness/choices.h"
#include "grader/harness/shrink.h"

namespace kv::grader {

// A student's object in lockstep with its oracle. The state of the oracle decides what a call
// means, so a history means the same however wrong the student's object is.
class ModelTest {
 public:
  virtual ~ModelTest() = default;

  // Makes one call on both, a refused one among others, and compares what it gives.
  virtual void call(Choices choices) = 0;

  // Compares the whole state. Calls nothing that changes it.
  virtual void look() {}

  // Gives back everything that is held, and expects that nothing is left in any table.
  virtual void finish() {}
};

struct Histories {
  std::size_t num_runs;
  std::size_t num_calls;                           // in each run
  std::function<Sizes(std::uint64_t seed)> sizes;  // sizes of the object in that run
  std::function<std::unique_ptr<ModelTest>(const Sizes&)> create = {};
  std::string replay;  // the command that runs one again; the seed follows it
};

// Runs histories with the seeds history_seed(), history_seed() + 1, ... If one breaks an invariant,
// crashes or hangs, a shorter one is looked for, and the shortest is run once more in this process.
// So its failure, crash or hang is this test's, and a debugger stops in it.
//
// The state is looked at after each call in some runs, and in the others after the last call only:
// code that repairs something when it is looked at is not noticed otherwise. In some runs there are
// two objects, and each call is made on one of them. At the end of each run everything is given
// back.
void expect_model_agrees(const Histories& histories);

template <class Test>
void expect_model_agrees(Histories histories) {
  histories.create = [](const Sizes& sizes) { return std::make_unique<Test>(sizes); };
  expect_model_agrees(std::as_const(histories));
}

}  // namespace kv::grader
