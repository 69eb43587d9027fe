#pragma once
// The block pool: how many requests use each block, and which blocks the prefix cache can find.
//
//                         no hash                                                hash set
//     ref_cnt > 0        [CLAIMED] ---------- cache_full_blocks ---------------> [SEALED]
//                         ^  |  ^                                                  |  ^
//          get_new_blocks |  |  '--- get_new_blocks (evicts) ---.                  |  |
//          or touch       |  | free_blocks                      |      free_blocks |  | touch
//                         |  v                                  |                  v  |
//     ref_cnt 0, queued  [FREE]                                 '----------- [CACHED AND FREE]
//
//   I1  A block is in the free queue if and only if its ref_cnt is 0 and it is not the null block.
//   I2  A block id is stable: blocks()[i].block_id == i for as long as the pool exists. A block in
//       use is never replaced by an equal one.
//   I4  A cached block can be free: with ref_cnt 0 it waits in the queue until get_new_blocks
//       evicts it or touch revives it, whichever comes first.
//   I8  Block 0 is the null block. It is never free, never cached, and its ref_cnt stays 0.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "01-free-queue/free_kv_cache_block_queue.h"
#include "03-block-hashing/block_hash_to_block_map.h"
#include "03-block-hashing/given/kv_cache_event.h"
#include "03-block-hashing/prefix_table.h"
#include "03-block-hashing/request.h"

namespace kv {

// Which free block is handed out next: the one that was freed first (2.4), or, before all of these,
// one that no hit can find (2.6).
enum class EvictionOrder { kFreedFirst, kUnhashedFirst };

// Owns the metadata of all blocks of a KV cache: ref counts (lab 02) and the prefix cache (lab 03).
// vLLM: BlockPool in vllm/v1/core/block_pool.py
class BlockPool {
 public:
  // Makes the blocks. All but the null block are free, in the order of their ids.
  // block_size: tokens in a block. Misuse: 0 blocks, or blocks of 0 tokens, are refused.   O(n)
  BlockPool(std::size_t num_gpu_blocks,
            std::size_t block_size,
            bool enable_caching = true,
            EvictionOrder eviction_order = EvictionOrder::kFreedFirst);
  BlockPool(const BlockPool&) = delete;  // block tables point at its blocks
  BlockPool& operator=(const BlockPool&) = delete;

  std::span<KVCacheBlock> blocks() { return blocks_; }
  const FreeKVCacheBlockQueue& free_block_queue() const { return free_block_queue_; }
  const PrefixTable& prefix_table() const { return prefix_table_; }
  KVCacheBlock& null_block() { return blocks_.front(); }
  std::size_t block_size() const { return block_size_; }

  // ---- Lab 02 ----
  // 2.1  How many blocks get_new_blocks could return; free cached blocks count (I4).
  // O(1).                                            vLLM: get_num_free_blocks
  std::size_t get_num_free_blocks() const;

  // 2.2  Claims the blocks that have been free the longest. Each then has ref_cnt 1, and
  // maybe_evict_cached_block (lab 03) has removed each that had a hash from the prefix cache, and
  // cleared the hash. Exhaustion: nullopt when fewer are free, and nothing has changed.
  // O(num_blocks), allocates the vector.             vLLM: get_new_blocks (raises)
  std::optional<std::vector<KVCacheBlock*>> get_new_blocks(std::size_t num_blocks);

  // 2.3  Adds one user to each block listed; a block listed twice gets two. A free block leaves the
  // queue from wherever it is (I4). The null block is skipped (I8).
  // Misuse: if a block is of another pool, the whole call is refused.
  // O(blocks.size()), allocates nothing, with a fixed amount of stack.
  // vLLM: touch (0.22 counts the null block)
  void touch(std::span<KVCacheBlock* const> blocks);

  // 2.4  Takes one user from each block listed; the null block is skipped (I8). When a block has no
  // user left, it joins the tail of the queue with its hash: the order given is that of eviction.
  // Misuse: if a block is of another pool, has no user, or is listed more often than it has users,
  // the whole call is refused, and nothing has changed (I1).
  // O(ordered_blocks.size()), allocates nothing, with a fixed amount of stack.
  // vLLM: free_blocks (does not check)
  void free_blocks(std::span<KVCacheBlock* const> ordered_blocks);

  // 2.5  The share of blocks in use, from 0 to 1. The null block does not count; 0 if there is no
  // other block.  O(1).                              vLLM: get_usage
  double get_usage() const;

  // ---- Lab 03: bodies in prefix_cache.cpp ----
  // 3.11  Seals blocks[num_cached_blocks, num_full_blocks) of a request's table: each gets the hash
  // and prefix of the request and can be found from now on (I3). Null blocks are skipped, equal
  // blocks are not merged (I2), an empty range changes nothing, wherever it is.
  // Misuse: caching off, a request of another block size, a range beyond its full blocks, hashes
  // or the table, or a block with a hash, of another pool or listed twice refuses the whole call.
  // O(new blocks), or O(all) if the one before has lost its entry.    vLLM: cache_full_blocks
  void cache_full_blocks(const Request& request,
                         std::span<KVCacheBlock* const> blocks,
                         std::size_t num_cached_blocks,
                         std::size_t num_full_blocks);

  // 3.12  A block that holds this prefix, the oldest if there are several; nullptr if none does.
  // O(1) expected.                                   vLLM: get_cached_block
  KVCacheBlock* get_cached_block(PrefixId prefix) const;

  // 3.13  The longest chain of cached blocks from the request's first block on, within
  // max_num_tokens tokens. Changes nothing; a caller that wants to keep the blocks touches them.
  // O(prefixes held from the start + 1) expected, allocates vectors.  vLLM: find_longest_cache_hit
  std::vector<KVCacheBlock*> find_longest_cache_hit(const Request& request,
                                                    std::size_t max_num_tokens) const;

  // 3.14  Removes a block from the prefix cache and clears its hash: it is about to hold something
  // else. False if it has no hash. Duplicates stay.  Cost: as 3.6.  vLLM: _maybe_evict_cached_block
  bool maybe_evict_cached_block(KVCacheBlock& block);

  // 3.15  Empties the prefix cache, as after new weights. False, and nothing has changed, while any
  // block but the null block is in use.  O(n).       vLLM: reset_prefix_cache
  bool reset_prefix_cache();

  // 3.17 (extra)  Does 3.14 for these blocks, in use or not; ref_cnt and queue stay.
  // Misuse: an id of no block refuses the whole call.
  // O(block_ids.size()) expected.                    vLLM: evict_blocks
  void evict_blocks(std::span<const BlockId> block_ids);

  // 3.18 (extra)  The events of the cache since the last call, oldest first; none of calls before
  // enable_kv_cache_events.  O(events).              vLLM: take_events
  std::vector<KVCacheEvent> take_events();
  void enable_kv_cache_events() { events_enabled_ = true; }
  // 3.19 (extra)  Does what 3.13 does, but asks for memory ahead. Body in prefix_cache_ahead.cpp.
  std::vector<KVCacheBlock*> find_longest_cache_hit_ahead(const Request& request,
                                                          std::size_t max_num_tokens) const;

 private:
  bool owns(const KVCacheBlock& block) const;     // given: one of blocks_, by address
  bool is_held(const KVCacheBlock& block) const;  // given: owned, and in use or null

  // 2.6 (extra)  What 2.4 is in a pool with kUnhashedFirst. Of the blocks that have no user left,
  // those without a hash join the head of the queue, because no hit can find them, and those with
  // one the tail; both keep the order given.
  // Misuse: if a block is listed more often than it has users, the whole call is refused, and
  // nothing has changed (I1).
  // O(ordered_blocks.size()), with a fixed amount of stack.      vLLM: free_blocks, since 0.24
  void free_unhashed_first(std::span<KVCacheBlock* const> ordered_blocks);

  // Given: the prefix before blocks[num_blocks]; nullopt for 0. If the block before has lost its
  // entry, it is interned again from the first token on, and `borrowed` gets the ids to release.
  std::optional<PrefixId> prefix_before(const Request& request,
                                        std::span<KVCacheBlock* const> blocks,
                                        std::size_t num_blocks,
                                        std::vector<PrefixId>& borrowed);

  std::size_t block_size_;
  bool enable_caching_;
  EvictionOrder eviction_order_;
  bool events_enabled_ = false;
  std::vector<KVCacheBlock> blocks_;  // [num_gpu_blocks]; blocks_[0] is the null block
  FreeKVCacheBlockQueue free_block_queue_;
  PrefixTable prefix_table_{block_size_};
  BlockHashToBlockMap cached_blocks_;
  std::vector<KVCacheEvent> kv_event_queue_;
};

}  // namespace kv
