#include "simt/cli/signs_of_life.h"

#include <gtest/gtest.h>

namespace kv::grader {
namespace {

simt::RunStatus status_of(std::uint64_t num_done, std::uint64_t num_blocks) {
  return {.kernel = "sgemm",
          .num_blocks = num_blocks,
          .num_done = num_done,
          .num_launches = 3,
          .began = 0};
}

TEST(SignsOfLife, SayHowFarALaunchIs) {
  EXPECT_EQ(sign_of_life("forward", status_of(0, 64), 2),
            "sgemm: block 0 of 64 in the forward run");
  EXPECT_EQ(sign_of_life("reverse", status_of(16, 64), 5),
            "sgemm: block 16 of 64 in the reverse run, about 15 s more");
}

TEST(SignsOfLife, SayWhatToMakeSmallerWhereItTakesLong) {
  EXPECT_EQ(sign_of_life("profile", status_of(8, 64), 20),
            "sgemm: block 8 of 64 in the profile run, about 2 minutes more; a problem with 1/8 of "
            "its blocks would take about 20 s");
}

TEST(SignsOfLife, SayWhenTheHostRuns) {
  EXPECT_EQ(sign_of_life("forward", status_of(0, 0), 2),
            "the forward run is in host code, after 3 launches");
}

}  // namespace
}  // namespace kv::grader
