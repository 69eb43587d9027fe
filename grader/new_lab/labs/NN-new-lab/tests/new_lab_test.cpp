// Single calls, step by step.

#include "NN-new-lab/new_lab.h"

#include <gtest/gtest.h>

#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(NewLab, FirstStep) {
  SPEC("the step gives the next number", "N.1 first_step", "number after");
  EXPECT_EQ(first_step(2), 3);
}

}  // namespace
}  // namespace kv::grader
