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
  if (request.skip_reading_prefix_cache || request.token_ids.empty()) return {};

  auto blocks = block_pool_.find_longest_cache_hit(request, request.token_ids.size() - 1);
  const std::size_t num_tokens = blocks.size() * block_pool_.block_size();
  return {std::move(blocks), num_tokens};
}

std::size_t KVCacheManager::get_num_blocks_to_allocate(const Request& request,
                                                       std::size_t num_new_tokens,
                                                       const AllocateOptions& options) const {
  const auto hits = options.new_computed_blocks;
  std::size_t num_tokens = num_tokens_need_slot(request, num_new_tokens, options);
  if (options.full_sequence_must_fit)
    num_tokens = std::max(num_tokens, std::min(request.token_ids.size(), max_model_len_));

  const std::size_t num_blocks = blocks_for(num_tokens, block_pool_.block_size());
  const std::size_t num_held = get_blocks(request.request_id).num_blocks() + hits.size();
  const auto is_free = [](const KVCacheBlock* hit) { return hit->ref_cnt == 0 && !hit->is_null; };
  const auto num_free_hits = std::ranges::count_if(hits, is_free);
  return num_blocks - std::min(num_blocks, num_held) + static_cast<std::size_t>(num_free_hits);
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

  if (get_num_blocks_to_allocate(request, num_new_tokens, options) >
      block_pool_.get_num_free_blocks())
    return std::nullopt;

  block_pool_.touch(hits);
  RequestBlocks& held =
      req_to_blocks_.try_emplace(request.request_id, RequestBlocks{no_blocks_}).first->second;
  held.table.append(hits);
  held.num_cached_blocks += hits.size();

  const std::size_t num_blocks =
      blocks_for(num_tokens_need_slot(request, num_new_tokens, options), block_size);
  const auto new_blocks =
      *block_pool_.get_new_blocks(num_blocks - std::min(num_blocks, held.table.num_blocks()));
  held.table.append(new_blocks);
  allocated->new_blocks.insert(allocated->new_blocks.end(), new_blocks.begin(), new_blocks.end());

  const std::size_t num_known =
      num_tokens_need_slot(request, num_new_tokens, {.new_computed_blocks = hits});
  cache_blocks(request, held, std::min(request.token_ids.size(), num_known));
  return allocated;
}

void KVCacheManager::free(const Request& request) {
  const auto held = req_to_blocks_.find(request.request_id);
  if (held == req_to_blocks_.end()) return;

  const auto blocks = held->second.table.blocks();
  block_pool_.free_blocks(std::vector(blocks.rbegin(), blocks.rend()));
  req_to_blocks_.erase(held);
}

void KVCacheManager::preempt(Request& request) {
  free(request);
  request.num_computed_tokens = 0;
}

std::size_t KVCacheManager::get_num_common_prefix_blocks(const std::string& request_id) const {
  if (rules_ == Rules::kVllm033) return 0;
  if (!enable_caching_) return 0;

  const auto blocks = get_blocks(request_id).blocks();
  const auto is_common = [&](const KVCacheBlock* block) {
    return std::cmp_equal(block->ref_cnt, req_to_blocks_.size());
  };
  return static_cast<std::size_t>(std::ranges::find_if_not(blocks, is_common) - blocks.begin());
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
