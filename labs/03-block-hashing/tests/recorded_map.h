#pragma once
// The map from prefixes to blocks, with a few blocks to put in. It records each call.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

constexpr BlockId kNone = -1;  // no block

class RecordedMap {
 public:
  void insert(PrefixId prefix, BlockId id) {
    log_step({"insert(prefix, block)", "insert({0}, {1})"}, prefix, Block{id});
    map_.insert(prefix, blocks_[static_cast<std::size_t>(id)]);
    log_state("size", map_.size());
  }

  void pop(PrefixId prefix, BlockId id, BlockId expected) {
    log_step({"pop(prefix, block_id)", "pop({0}, {1})"}, prefix, id);
    const KVCacheBlock* popped = map_.pop(prefix, id);
    const std::string yours = draw_block(popped, blocks_);
    if (popped != nullptr && !yours.starts_with("#")) {
      log_result(yours);
    } else {
      log_result(Block{popped ? std::optional<std::int64_t>(popped->block_id) : std::nullopt});
    }
    log_state("size", map_.size());
    expect_same("pop(" + std::to_string(prefix) + ", " + std::to_string(id) + ") to give",
                name_of(expected), yours);
  }

  // A new map, in the place of the old one.
  void clear() {
    log_step({"clear()", "clear()"});
    map_.clear();
    log_state("size", map_.size());
  }

  void expect_block(PrefixId prefix, BlockId expected) {
    expect_same("get_one_block(" + std::to_string(prefix) + ") to give", name_of(expected),
                draw_block(map_.get_one_block(prefix), blocks_));
  }

  void expect_size(std::size_t expected) { expect_same("size() to give", expected, map_.size()); }

 private:
  static std::string name_of(BlockId id) {
    return id == kNone ? "nullptr" : "#" + std::to_string(id);
  }

  static std::vector<KVCacheBlock> numbered_blocks() {
    std::vector<KVCacheBlock> blocks(7);
    for (std::size_t id = 0; id < blocks.size(); ++id)
      blocks[id].block_id = static_cast<BlockId>(id);
    return blocks;
  }

  std::vector<KVCacheBlock> blocks_ = numbered_blocks();
  BlockHashToBlockMap map_ = {};
};

}  // namespace kv::grader
