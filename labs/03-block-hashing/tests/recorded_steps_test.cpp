// The prefix cache does what that of vLLM 0.33 does, call by call, and sends the same events.

#include "03-block-hashing/tests/pool_replay.h"

namespace kv::grader {
namespace {

TEST(RecordedSteps, OfThePrefixCache) {
  SPEC(
      "every call finds, caches and evicts the blocks that it did in vLLM 0.33, and its events "
      "are the same",
      "3.18 take_events", "The events of the cache since the last call",
      "3.11 can be found from now on", "3.12 the oldest if there are several",
      "3.15 any block but the null block is in use", "3.17 in use or not");
  expect_recorded_pool();
}

}  // namespace
}  // namespace kv::grader
