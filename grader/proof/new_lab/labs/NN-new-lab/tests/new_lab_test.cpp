// Single calls, step by step.

#include "NN-new-lab/new_lab.h"

#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

TEST(NewLab, FirstStep) {
  SPEC("the step gives the next number", "N.1 first_step", "number after");
  EXPECT_SAME(first_step(2), 3) << "the number after 2";
}

}  // namespace
}  // namespace kv::grader
