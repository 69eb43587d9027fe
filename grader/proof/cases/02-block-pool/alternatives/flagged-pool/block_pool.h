#pragma once
// A flag for each block says whether it is free; ref_cnt only counts.

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

enum class EvictionOrder { kFreedFirst, kUnhashedFirst };

class BlockPool {
 public:
  BlockPool(std::size_t num_gpu_blocks,
            std::size_t block_size,
            bool enable_caching = true,
            EvictionOrder eviction_order = EvictionOrder::kFreedFirst);
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  std::span<KVCacheBlock> blocks() { return blocks_; }
  const FreeKVCacheBlockQueue& free_block_queue() const { return free_block_queue_; }
  const PrefixTable& prefix_table() const { return prefix_table_; }
  KVCacheBlock& null_block() { return blocks_.front(); }
  std::size_t block_size() const { return block_size_; }

  std::size_t get_num_free_blocks() const;
  std::optional<std::vector<KVCacheBlock*>> get_new_blocks(std::size_t num_blocks);
  void touch(std::span<KVCacheBlock* const> blocks);
  void free_blocks(std::span<KVCacheBlock* const> ordered_blocks);
  double get_usage() const;
  void cache_full_blocks(const Request& request,
                         std::span<KVCacheBlock* const> blocks,
                         std::size_t num_cached_blocks,
                         std::size_t num_full_blocks);
  KVCacheBlock* get_cached_block(PrefixId prefix) const;
  std::vector<KVCacheBlock*> find_longest_cache_hit(const Request& request,
                                                    std::size_t max_num_tokens) const;
  bool maybe_evict_cached_block(KVCacheBlock& block);
  bool reset_prefix_cache();
  void evict_blocks(std::span<const BlockId> block_ids);
  std::vector<KVCacheEvent> take_events();
  void enable_kv_cache_events() { events_enabled_ = true; }
  std::vector<KVCacheBlock*> find_longest_cache_hit_ahead(const Request& request,
                                                          std::size_t max_num_tokens) const;

 private:
  bool owns(const KVCacheBlock& block) const;
  char& free_flag(const KVCacheBlock& block) {
    return is_free_[static_cast<std::size_t>(block.block_id)];
  }
  bool is_held(const KVCacheBlock& block) const;
  void free_unhashed_first(std::span<KVCacheBlock* const> ordered_blocks);

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
  std::vector<char> is_free_;  // [num_gpu_blocks]
  std::vector<KVCacheEvent> kv_event_queue_;
};

}  // namespace kv
