// The pool with kUnhashedFirst does what that of vLLM 0.33 does, call by call.

#include "03-block-hashing/tests/pool_replay.h"

namespace kv::grader {
namespace {

TEST(RecordedSteps, OfThePool) {
  SPEC("every call does what it did in vLLM 0.33, and leaves the blocks in the same order",
       "2.6 free_unhashed_first", "join the head of the queue", "the tail", "keep the order given",
       "2.2 free the longest", "2.3 leaves the queue");
  expect_recorded_pool();
}

}  // namespace
}  // namespace kv::grader
