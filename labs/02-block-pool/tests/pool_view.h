#pragma once
// The state of a pool: which blocks are free, used and cached, by id; and whether it is one that
// the contract allows.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "01-free-queue/tests/block_ids.h"
#include "02-block-pool/block_pool.h"
#include "grader/harness/predict_script.h"

namespace kv::grader {

inline std::vector<KVCacheBlock*> blocks_of(BlockPool& pool, const Ids& ids) {
  std::vector<KVCacheBlock*> blocks;
  for (const BlockId id : ids) blocks.push_back(&pool.blocks()[static_cast<std::size_t>(id)]);
  return blocks;
}

// In the order in which they will be handed out.
inline Ids free_ids(const BlockPool& pool) {
  return ids_of(pool.free_block_queue().get_all_free_blocks());
}

inline Ids cached_ids(BlockPool& pool) {
  Ids ids;
  for (const KVCacheBlock& block : pool.blocks()) {
    if (block.block_hash) ids.push_back(block.block_id);
  }
  return ids;
}

// The blocks in use: id, ref_cnt, id, ref_cnt, ...
inline std::vector<std::int64_t> ref_counts(BlockPool& pool) {
  std::vector<std::int64_t> ids_and_counts;
  for (const KVCacheBlock& block : pool.blocks()) {
    if (block.ref_cnt != 0)
      ids_and_counts.insert(ids_and_counts.end(), {block.block_id, block.ref_cnt});
  }
  return ids_and_counts;
}

// "1:2": two requests use block 1.
inline std::vector<std::string> used_blocks(std::span<const std::int64_t> counts) {
  std::vector<std::string> used;
  for (std::size_t i = 0; i < counts.size(); i += 2) {
    used.push_back(std::to_string(counts[i]) + ":" + std::to_string(counts[i + 1]));
  }
  return used;
}

// The last three lines of a predict question's answer.
inline std::string pool_answer(BlockPool& pool) {
  return answer_line("free", free_ids(pool)) + answer_line("refs", used_blocks(ref_counts(pool))) +
         answer_line("cached", cached_ids(pool));
}

// One full block of tokens that no other block has.
inline Request request_of_block(const BlockPool& pool, BlockId id) {
  Request request{.request_id = "r" + std::to_string(id),
                  .block_size = pool.block_size(),
                  .token_ids = std::vector<TokenId>(pool.block_size(), id)};
  update_block_hashes(request);
  return request;
}

// Caches a block under them.
inline void seal_alone(BlockPool& pool, BlockId id) {
  const auto table = blocks_of(pool, {id});
  pool.cache_full_blocks(request_of_block(pool, id), table, 0, 1);
}

// A block that a call returned, as it is drawn. Why by address: it may be a copy, or no block at
// all. blocks: [id]
inline std::string draw_block(const KVCacheBlock* block, std::span<const KVCacheBlock> blocks) {
  if (block == nullptr) return "nullptr";
  for (std::size_t id = 0; id < blocks.size(); ++id) {
    if (block == &blocks[id]) return "#" + std::to_string(id);
  }
  return "no block of this test";
}

// The first broken invariant of I1, I2 and I8, in the contract's words; nullopt if all hold.
inline std::optional<std::string> broken_pool_invariant(BlockPool& pool) {
  std::vector<int> num_listed(pool.blocks().size(), 0);
  for (const BlockId id : free_ids(pool)) ++num_listed.at(static_cast<std::size_t>(id));
  std::size_t num_free = 0;
  for (std::size_t i = 0; i < pool.blocks().size(); ++i) {
    const KVCacheBlock& block = pool.blocks()[i];
    const auto name = [i] {
      return "#" + std::to_string(i);
    };  // made only if an invariant is broken
    const int expected = block.ref_cnt == 0 && !block.is_null ? 1 : 0;
    num_free += static_cast<std::size_t>(expected);
    if (block.block_id != static_cast<BlockId>(i))
      return "I2: a block id is stable, but " + name() + " changed";
    if (block.is_null != (i == 0)) return "I8: block 0 is the null block, and no other";
    if (block.is_null && (block.ref_cnt != 0 || block.block_hash)) {
      return "I8: the null block is never cached, and its ref_cnt stays 0";
    }
    if (num_listed[i] != expected) {
      return "I1: a block is in the free queue if and only if its ref_cnt is 0 and it is not the "
             "null block,\n   but " +
             name() + " has ref_cnt " + std::to_string(block.ref_cnt) + " and is in the queue " +
             std::to_string(num_listed[i]) + " times";
    }
  }
  if (pool.get_num_free_blocks() != num_free) {
    return "I1: get_num_free_blocks() is " + std::to_string(pool.get_num_free_blocks()) + ", and " +
           std::to_string(num_free) + " blocks are free";
  }
  return std::nullopt;
}

}  // namespace kv::grader
