#include "base/process/process.h"

#include <gtest/gtest.h>

#include <chrono>

namespace kv::grader {
namespace {

TEST(Run, StopsATrustedProgramAtItsWallTime) {
  const auto started = std::chrono::steady_clock::now();
  const Outcome outcome = run({.argv = {"sleep", "20"}, .wall_seconds = 0.2});
  EXPECT_TRUE(outcome.timed_out);
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10));
}

TEST(Run, StopsALoopBeforeASecondOfProcessorTimeIsOver) {
  const Outcome loop = run({.argv = {"sh", "-c", "while :; do :; done"},
                            .limits = Limits{.cpu_seconds = 0.1, .is_exact = true}});
  EXPECT_TRUE(loop.timed_out);
  EXPECT_LT(loop.seconds, 0.9);
}

}  // namespace
}  // namespace kv::grader
