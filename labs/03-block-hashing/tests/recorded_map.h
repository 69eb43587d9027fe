#pragma once
// The map from prefixes to blocks, with a few blocks to put in, and it tells what is done.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

constexpr BlockId kNone = -1;  // no block

class RecordedMap {
 public:
  void insert(PrefixId prefix, BlockId id) {
    log_step("insert(" + std::to_string(prefix) + ", " + name_of(id) + ")");
    map_.insert(prefix, blocks_[static_cast<std::size_t>(id)]);
    log_result("size " + std::to_string(map_.size()));
  }

  void pop(PrefixId prefix, BlockId id, BlockId expected) {
    const std::string call = "pop(" + std::to_string(prefix) + ", " + std::to_string(id) + ")";
    log_step(call);
    const std::string yours = draw_block(map_.pop(prefix, id), blocks_);
    log_result(yours + ", size " + std::to_string(map_.size()));
    expect_same(call, name_of(expected), yours);
  }

  void expect_block(PrefixId prefix, BlockId expected) {
    const std::string call = "get_one_block(" + std::to_string(prefix) + ")";
    expect_same(call, name_of(expected), draw_block(map_.get_one_block(prefix), blocks_));
  }

  void expect_size(std::size_t expected) {
    expect_same("size()", std::to_string(expected), std::to_string(map_.size()));
  }

 private:
  static std::string name_of(BlockId id) {
    return id == kNone ? "nullptr" : "#" + std::to_string(id);
  }

  static void expect_same(const std::string& call,
                          const std::string& expected,
                          const std::string& yours) {
    if (yours != expected)
      ADD_FAILURE() << "expected " << call << " to give " << expected << ", yours is " << yours;
  }

  std::array<KVCacheBlock, 4> blocks_ = {KVCacheBlock{.block_id = 0}, KVCacheBlock{.block_id = 1},
                                         KVCacheBlock{.block_id = 2}, KVCacheBlock{.block_id = 3}};
  BlockHashToBlockMap map_ = {};
};

}  // namespace kv::grader
