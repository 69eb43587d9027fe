#pragma once
// A cost as an expectation of a test.

#include <gtest/gtest.h>

#include "grader/harness/cost.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

inline void expect_cost(const CostProbe& probe) {
  step(probe.call + " with few and with many " + probe.what);
  if (const auto why = complaint(probe)) ADD_FAILURE() << *why;
}

}  // namespace kv::grader
