#pragma once
// The state of a request in four maps, as vLLM has two.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "04-kv-cache-manager/allocation.h"
#include "04-kv-cache-manager/block_table.h"
#include "04-kv-cache-manager/given/rules.h"

namespace kv {

class KVCacheManager {
 public:
  KVCacheManager(std::size_t num_gpu_blocks,
                 std::size_t block_size,
                 std::size_t max_model_len,
                 bool enable_caching = true,
                 Rules rules = Rules::kVllm022);

  Rules rules() const { return rules_; }
  BlockPool& block_pool() { return block_pool_; }
  double usage() const { return block_pool_.get_usage(); }
  bool reset_prefix_cache() { return block_pool_.reset_prefix_cache(); }
  void evict_blocks(std::span<const BlockId> ids) { block_pool_.evict_blocks(ids); }
  std::vector<KVCacheEvent> take_events() { return block_pool_.take_events(); }
  const BlockTable& get_blocks(const std::string& request_id) const;

  ComputedBlocks get_computed_blocks(const Request& request) const;
  std::size_t get_num_blocks_to_allocate(const Request& request,
                                         std::size_t num_new_tokens,
                                         const AllocateOptions& options = {}) const;
  std::optional<AllocatedSlots> allocate_slots(const Request& request,
                                               std::size_t num_new_tokens,
                                               const AllocateOptions& options = {});
  void free(const Request& request);
  void preempt(Request& request);
  std::size_t get_num_common_prefix_blocks(const std::string& request_id) const;
  Request fork(const Request& parent, const std::string& child_request_id);
  void accept(Request& parent, const Request& child);

 private:
  std::size_t num_slots(const Request& request,
                        std::size_t num_new_tokens,
                        const AllocateOptions& options,
                        bool with_lookahead) const;
  std::vector<std::size_t> blocks_to_unshare(const Request& request) const;
  void unshare(const Request& request,
               const std::vector<std::size_t>& shared,
               AllocatedSlots& allocated);
  void grow(const Request& request, std::size_t num_slots, AllocatedSlots& allocated);
  void cache(const Request& request, std::size_t num_tokens);

  std::size_t max_model_len_;
  bool enable_caching_;
  Rules rules_;
  BlockPool block_pool_;
  BlockTable no_blocks_;
  std::map<std::string, BlockTable> req_to_blocks_;
  std::map<std::string, std::size_t> num_cached_block_;
  std::map<std::string, std::string> parents_;  // each fork, and its parent
  std::set<std::string> forked_;                // parents and children
};

}  // namespace kv
