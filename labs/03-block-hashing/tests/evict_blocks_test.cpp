// Eviction by a call.

#include <cstdint>

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kEvictBlocks = "3.17 evict_blocks";

TEST(EvictBlocks, ForgetsBlocksInUse) {
  SPEC("a block in use is evicted too; ref_cnt and queue stay", kEvictBlocks,
       "Does 3.14 for these blocks", "ref_cnt and queue stay");
  RecordedEngine engine(6, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.evict({3, 0, 2, 2});
  engine.expect_cached({1});
  engine.expect_hit("A", {1});
  engine.expect_ref_cnt(2, 1);
  engine.expect_free({3, 4, 5});
  engine.audit();
}

// Three blocks hold one prefix; the one in the middle goes first.
void expect_duplicates_evicted_one_by_one() {
  RecordedEngine engine(5, 2);
  for (const char* name : {"A", "B", "C"}) engine.compute(name, {1, 2});
  engine.evict({2});
  engine.expect_cached({1, 3});
  engine.evict({1});
  engine.expect_hit("A", {3});
  engine.evict({3});
  engine.expect_hit("A", {});
  engine.expect_num_prefixes(0);
}

TEST(EvictBlocks, ForgetsEachOfThem) {
  SPEC("each block of the list is evicted, and no other, also in a pool of 2^16 blocks",
       kEvictBlocks);
  RecordedEngine engine(0x1'0002, 2);
  engine.compute("A", {1, 2, 3, 4, 5, 6, 7, 8});
  engine.evict({4, 0x1'0001, 2, 3});
  engine.expect_cached({1});
  engine.evict({});
  engine.expect_cached({1});
  engine.evict({2, 1});
  engine.expect_cached({});
  engine.expect_num_prefixes(0);
  expect_duplicates_evicted_one_by_one();
}

TEST(EvictBlocks, RefusesAnIdOfNoBlock) {
  SPEC("an id of no block refuses the whole call", kEvictBlocks, "an id of no block");
  RecordedEngine engine(4, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.evict({});
  for (const BlockId id : {4, -1, 0x1'0001, INT32_MIN, INT32_MAX}) {
    for (const Ids& ids : {Ids{1, id}, Ids{id, 1}, Ids{1, id, 2}})
      EXPECT_REFUSED(engine.pool().evict_blocks(ids)) << "there is no block " << id;
  }
  engine.expect_cached({1, 2});
}

}  // namespace
}  // namespace kv::grader
