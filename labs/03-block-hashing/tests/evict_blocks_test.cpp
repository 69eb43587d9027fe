// Forgetting on request.

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kEvictBlocks = "3.17 evict_blocks";

TEST(EvictBlocks, ForgetsBlocksInUse) {
  SPEC("a block in use is forgotten too; ref_cnt and queue stay", kEvictBlocks);
  RecordedEngine world(6, 2);
  world.live("A", {1, 2, 3, 4});
  world.evict({2, 3, 0});
  world.expect_cached({1});
  world.expect_hit("A", {1});
  EXPECT_EQ(world.block(2).ref_cnt, 1);
  world.audit();
}

TEST(EvictBlocks, RefusesAnIdOfNoBlock) {
  SPEC("an id of no block refuses the whole call", kEvictBlocks);
  RecordedEngine world(4, 2);
  world.live("A", {1, 2, 3, 4});
  world.evict({});
  EXPECT_THROW(world.pool().evict_blocks(Ids{1, 4}), ContractViolation);
  EXPECT_THROW(world.pool().evict_blocks(Ids{1, -1}), ContractViolation);
  world.expect_cached({1, 2});
}

}  // namespace
}  // namespace kv::grader
