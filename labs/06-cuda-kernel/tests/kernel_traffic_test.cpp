// Rungs 3 to 6: what they move. Counted, not timed.

#include <gtest/gtest.h>

#include "06-cuda-kernel/tests/rungs.h"

namespace kv::grader {
namespace {

template <class Rung>
class KernelTraffic : public testing::Test {
 public:
  // A group of four query heads, two sequences of whole blocks.
  template <class Scalar>
  static TrafficSums of_decode() {
    DecodeBatch<Scalar> batch({4, 1, 128, 16, {96, 64}});
    const PagedAttentionParams<Scalar> params = batch.params();
    log_step({Rung::kCall, Rung::kCall});
    return sums_of(traffic_of([&] { Rung::launch(params); }));
  }
};
TYPED_TEST_SUITE(KernelTraffic, LaterRungs, RungName);

template <class Rung, class Scalar>
void expect_full_sectors() {
  const TrafficSums sums = KernelTraffic<Rung>::template of_decode<Scalar>();
  EXPECT_HOLDS(10 * sums.sectors <= 11 * sums.ideal_sectors)
      << "your requests move " << sums.sectors << " sectors of 32 bytes, and " << sums.ideal_sectors
      << " hold the bytes they ask for: neighboring lanes have to read neighboring bytes";
}

TYPED_TEST(KernelTraffic, MovesNoSectorInVain) {
  SPEC("a request moves at most 1.1 times the sectors that hold its bytes", TypeParam::kStep,
       TypeParam::kTraffic);
  expect_full_sectors<TypeParam, typename TypeParam::Widest>();
  if (!this->HasFailure()) expect_full_sectors<TypeParam, __nv_bfloat16>();
}

template <class Scalar>
void expect_wide_loads() {
  expect_wide_reads(KernelTraffic<Warp>::of_decode<Scalar>(), sizeof(Scalar),
                    "your kernel reads: load_vec");
}

TEST(WideLoads, SixteenBytesALane) {
  SPEC("nine tenths of the sectors are read by 16 bytes a lane", Warp::kStep,
       "16 bytes of its key and value in each lane", "16 bytes a lane");
  expect_wide_loads<float>();
  if (!HasFailure()) expect_wide_loads<__half>();
  if (!HasFailure()) expect_wide_loads<__nv_bfloat16>();
}

TEST(AnyLength, NoScoresInMemory) {
  SPEC("more tokens than shared memory has room for scores, and nothing is written but out",
       Warp::kStep, "without scores in memory", "Any seq_len fits",
       "It writes each number of out once, and nothing else to device memory");
  expect_dense<Warp, __half>({1, 1, 64, 8, {16'400}});  // a table of 2,050 entries
  expect_each_result_written_once<Warp>();
}

TYPED_TEST(KernelTraffic, LanesAreAtWork) {
  SPEC("at least 28 of 32 lanes take part in a step", TypeParam::kStep, TypeParam::kTraffic);
  const TrafficSums sums = this->template of_decode<typename TypeParam::Widest>();
  EXPECT_HOLDS(sums.active_lanes >= 28 * sums.steps)
      << draw(static_cast<double>(sums.active_lanes) / static_cast<double>(sums.steps))
      << " lanes take part in a step of your warps, on average";
}

TYPED_TEST(KernelTraffic, BanksRarelyConflict) {
  SPEC("shared memory takes at most twice the wavefronts that it needs", TypeParam::kStep);
  const TrafficSums sums = this->template of_decode<typename TypeParam::Widest>();
  EXPECT_HOLDS(sums.wavefronts <= 2 * sums.ideal_wavefronts)
      << "your accesses to shared memory take " << sums.wavefronts << " wavefronts, and "
      << sums.ideal_wavefronts << " without bank conflicts";
}

template <class Rung>
class GroupTraffic : public KernelTraffic<Rung> {};
using GroupRungs = testing::Types<Group, V2, Tensor>;
TYPED_TEST_SUITE(GroupTraffic, GroupRungs, RungName);

TYPED_TEST(GroupTraffic, ReadsKeysAndValuesOnce) {
  SPEC("a key is read once for its whole group of query heads", TypeParam::kStep,
       TypeParam::kTraffic);
  const TrafficSums sums = this->template of_decode<__half>();
  EXPECT_HOLDS(10 * sums.bytes_moved <= 13 * sums.bytes_unique)
      << "your kernel moves " << sums.bytes_moved << " bytes, of which " << sums.bytes_unique
      << " are different: read each key and each value once for its group";
}

}  // namespace
}  // namespace kv::grader
