#pragma once
// The view of a router that reads all events of a pool (step 3.18): how many blocks have which
// hash. Why not the events themselves: several ways to group blocks in events are right.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <variant>

#include "02-block-pool/block_pool.h"

namespace kv::grader {

class RouterView {
 public:
  void expect_agrees(BlockPool& pool) {
    for (const KVCacheEvent& event : pool.take_events())
      std::visit([this](const auto& each) { read(each); }, event);
    std::map<BlockHash, int> more = counts_;
    for (const KVCacheBlock& block : pool.blocks())
      if (block.block_hash) --more[*block.block_hash];
    for (const KVCacheBlock& block : pool.blocks())
      if (block.block_hash && more[*block.block_hash] != 0)
        return fail("the hash of #" + std::to_string(block.block_id), *block.block_hash,
                    more[*block.block_hash]);
    for (const auto& [hash, num] : more)
      if (num != 0) return fail("a hash that no block has", hash, num);
  }

 private:
  void read(const BlockStored& event) {
    for (const BlockHash hash : event.block_hashes) ++counts_[hash];
  }
  void read(const BlockRemoved& event) { --counts_[event.block_hash]; }
  void read(const AllBlocksCleared&) { counts_.clear(); }

  void fail(const std::string& what, BlockHash hash, int num_more) {
    const int counted = counts_[hash];
    ADD_FAILURE() << "blocks with " << what << ": by all events together " << counted
                  << ", there are " << counted - num_more;
  }

  std::map<BlockHash, int> counts_;
};

}  // namespace kv::grader
