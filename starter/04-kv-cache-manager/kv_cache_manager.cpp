#include "04-kv-cache-manager/kv_cache_manager.h"

#include <algorithm>
#include <utility>

#include "04-kv-cache-manager/given/allocation_checks.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

KVCacheManager::KVCacheManager(std::size_t num_gpu_blocks,
                               std::size_t block_size,
                               std::size_t max_model_len,
                               bool enable_caching,
                               Rules rules)
    : max_model_len_(max_model_len),
      enable_caching_(enable_caching),
      rules_(rules),
      block_pool_(
          num_gpu_blocks,
          block_size,
          enable_caching,
          rules == Rules::kVllm022 ? EvictionOrder::kFreedFirst : EvictionOrder::kUnhashedFirst),
      no_blocks_(block_size) {
  KV_REQUIRE("a request can have a token", max_model_len > 0);
}

const BlockTable& KVCacheManager::get_blocks(const std::string& request_id) const {
  const auto found = req_to_blocks_.find(request_id);
  return found == req_to_blocks_.end() ? no_blocks_ : found->second.table;
}

ComputedBlocks KVCacheManager::get_computed_blocks(const Request& request) const {
  require_hashed(request, block_pool_.block_size());
  KV_TODO("4.4 get_computed_blocks");
}

std::size_t KVCacheManager::get_num_blocks_to_allocate(const Request& request,
                                                       std::size_t num_new_tokens,
                                                       const AllocateOptions& options) const {
  KV_TODO("4.5 get_num_blocks_to_allocate");
}

std::optional<AllocatedSlots> KVCacheManager::allocate_slots(const Request& request,
                                                             std::size_t num_new_tokens,
                                                             const AllocateOptions& options) {
  const auto hits = options.new_computed_blocks;
  const std::size_t block_size = block_pool_.block_size();
  require_hashed(request, block_size);
  require_allocatable(request, num_new_tokens, hits, get_blocks(request.request_id));

  std::optional<AllocatedSlots> allocated = AllocatedSlots{};
  if (is_forked(request)) allocated = unshare_blocks(request, num_new_tokens, options);  // 4.11
  if (!allocated) return std::nullopt;

  KV_TODO("4.6 allocate_slots");
}

void KVCacheManager::free(const Request& request) {
  KV_TODO("4.7 free");
}

void KVCacheManager::preempt(Request& request) {
  KV_TODO("4.8 preempt");
}

std::size_t KVCacheManager::get_num_common_prefix_blocks(const std::string& request_id) const {
  if (rules_ == Rules::kVllm033) return 0;
  KV_TODO("4.9 get_num_common_prefix_blocks");
}

// Given, from here on.
bool KVCacheManager::is_forked(const Request& request) const {
  const auto held = req_to_blocks_.find(request.request_id);
  return held != req_to_blocks_.end() && held->second.is_forked;
}

std::size_t KVCacheManager::num_tokens_need_slot(const Request& request,
                                                 std::size_t num_new_tokens,
                                                 const AllocateOptions& options) const {
  const std::size_t num_hit_tokens = options.new_computed_blocks.size() * block_pool_.block_size();
  std::size_t room = max_model_len_;  // Why not the sum: it might not fit into 64 bits.
  room -= std::min(room, request.num_computed_tokens + num_hit_tokens);
  room -= std::min(room, num_new_tokens);
  room -= std::min(room, options.num_lookahead_tokens);
  return max_model_len_ - room;
}

void KVCacheManager::cache_blocks(const Request& request,
                                  RequestBlocks& held,
                                  std::size_t num_tokens) {
  if (!enable_caching_) return;

  const std::size_t num_full = num_tokens / block_pool_.block_size();
  block_pool_.cache_full_blocks(request, held.table.blocks(), held.num_cached_blocks, num_full);
  held.num_cached_blocks = std::max(held.num_cached_blocks, num_full);
}

}  // namespace kv
