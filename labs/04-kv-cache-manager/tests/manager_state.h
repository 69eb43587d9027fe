#pragma once
// The state of a manager by id: its sizes, its pool, and the table of each request.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "02-block-pool/tests/recorded_pool.h"
#include "04-kv-cache-manager/kv_cache_manager.h"

namespace kv::grader {

struct ManagerSizes {
  std::size_t num_gpu_blocks;
  std::size_t block_size;
  std::size_t max_model_len = 1'000'000;
  bool enable_caching = true;
  bool has_events = false;
  Rules rules = Rules::kVllm022;
};

inline KVCacheManager manager_of(const ManagerSizes& sizes) {
  return KVCacheManager(sizes.num_gpu_blocks, sizes.block_size, sizes.max_model_len,
                        sizes.enable_caching, sizes.rules);
}

// "{0} blocks of {1} tokens, caching off": the start of a story.
inline std::string text_of(const ManagerSizes& sizes) {
  return std::string("{0} blocks of {1} tokens") +
         (sizes.max_model_len == ManagerSizes().max_model_len ? "" : ", max_model_len {2}") +
         (sizes.enable_caching ? "" : ", caching off") + (sizes.has_events ? ", events on" : "") +
         (sizes.rules == Rules::kVllm033 ? ", rules of vLLM 0.33" : "");
}

// The line of a test that makes the manager.
inline std::string code_of(const ManagerSizes& sizes) {
  return std::string("RecordedManager manager({{0}, {1}, {2}, {3}, {4}") +
         (sizes.rules == Rules::kVllm033 ? ", Rules::kVllm033});" : "});");
}

// An earlier request: it gets new blocks, which it frees. Gives them.
inline Ids compute_and_leave(BlockPool& pool, Request earlier) {
  update_block_hashes(earlier);
  const std::size_t num_blocks = (earlier.token_ids.size() - 1) / earlier.block_size + 1;
  const auto blocks = *pool.get_new_blocks(num_blocks);
  pool.cache_full_blocks(earlier, blocks, 0, earlier.num_full_blocks());
  pool.free_blocks(std::vector(blocks.rbegin(), blocks.rend()));
  return ids_of(blocks);
}

inline void keep_beginning(Request& request, std::size_t num_tokens) {
  request.token_ids.resize(num_tokens);
  request.block_hashes.resize(request.num_full_blocks());
  request.block_extra_keys.resize(request.num_full_blocks());
  request.num_computed_tokens = std::min(request.num_computed_tokens, num_tokens - 1);
}

using Tables = std::map<std::string, Ids>;

struct ManagerState {
  PoolState pool;
  Tables tables;

  friend bool operator==(const ManagerState&, const ManagerState&) = default;
};

// "free [4], used [1:1 2:1 3:1], cached [1 2], A [1 2 3]"
inline std::string draw(const ManagerState& state) {
  std::string text = draw(state.pool);
  for (const auto& [name, table] : state.tables) text += ", " + name + " " + draw(table);
  return text;
}

// "#3 to #5: 2 slots"
inline std::vector<std::string> draw_copies(const std::vector<BlockCopy>& copies) {
  std::vector<std::string> texts;
  for (const BlockCopy& copy : copies) {
    texts.push_back("#" + std::to_string(copy.source) + " to #" + std::to_string(copy.destination) +
                    ": " + std::to_string(copy.num_slots) + " slots");
  }
  return texts;
}

// I12 in the contract's words if it is broken; nullopt if it holds.
inline std::optional<std::string> broken_table_invariant(BlockPool& pool, const Tables& tables) {
  std::vector<std::int32_t> num_tables(pool.blocks().size(), 0);
  for (const auto& [name, ids] : tables) {
    for (const BlockId id : ids) {
      ++num_tables.at(static_cast<std::size_t>(id));
      if (std::ranges::count(ids, id) > 1)
        return "I12: no table has a block twice, but that of " + name + " has #" +
               std::to_string(id);
    }
  }
  for (const KVCacheBlock& block : pool.blocks()) {
    const std::int32_t num = num_tables[static_cast<std::size_t>(block.block_id)];
    if (block.ref_cnt == num) continue;
    return "I12: the ref_cnt of a block is the number of block tables that it is in,\n   but #" +
           std::to_string(block.block_id) + " is in " + std::to_string(num) + " and has ref_cnt " +
           std::to_string(block.ref_cnt);
  }
  return std::nullopt;
}

inline void expect_same_request(const Request& yours, const Request& expected) {
  EXPECT_SAME(yours.token_ids, expected.token_ids) << "the tokens of the request";
  EXPECT_SAME(yours.block_hashes, expected.block_hashes) << "the hashes of the request";
  EXPECT_HOLDS(yours.block_extra_keys == expected.block_extra_keys)
      << "the extra keys of the request differ";
  EXPECT_SAME(yours.mm_features.size(), expected.mm_features.size()) << "the images of the request";
  EXPECT_SAME(yours.num_computed_tokens, expected.num_computed_tokens)
      << "num_computed_tokens of the request";
}

}  // namespace kv::grader
