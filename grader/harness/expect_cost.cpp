#include <gtest/gtest.h>

#include "grader/harness/cost.h"
#include "grader/harness/endless.h"
#include "grader/harness/test_log.h"

// Why not in cost.cpp: the programs that print costs link that one, and no GoogleTest.

namespace kv::grader {

// Why not after a failure: what costs too much makes the next probes of a test take too long.
void expect_cost(const CostProbe& probe) {
  if (testing::Test::HasFailure()) return;
  allow_steps(kAnyNumberOfSteps);  // Why: it makes each call on 100,000 blocks
  log_step(probe.call + " with few and with many " + probe.what);
  if (const auto why = complaint(probe)) ADD_FAILURE() << *why;
}

}  // namespace kv::grader
