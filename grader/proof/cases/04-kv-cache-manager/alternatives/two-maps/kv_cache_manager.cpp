#include "04-kv-cache-manager/kv_cache_manager.h"

#include <algorithm>
#include <array>

#include "04-kv-cache-manager/given/allocation_checks.h"
#include "kv/require.h"

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
  return found == req_to_blocks_.end() ? no_blocks_ : found->second;
}

ComputedBlocks KVCacheManager::get_computed_blocks(const Request& request) const {
  require_hashed(request, block_pool_.block_size());
  if (request.skip_reading_prefix_cache || request.token_ids.size() < 2) return {};
  ComputedBlocks found;
  found.blocks = block_pool_.find_longest_cache_hit(request, request.token_ids.size() - 1);
  found.num_tokens = found.blocks.size() * block_pool_.block_size();
  return found;
}

std::size_t KVCacheManager::num_slots(const Request& request,
                                      std::size_t num_new_tokens,
                                      const AllocateOptions& options,
                                      bool with_lookahead) const {
  std::size_t num =
      std::min(max_model_len_, request.num_computed_tokens +
                                   options.new_computed_blocks.size() * block_pool_.block_size());
  for (const std::size_t more :
       std::array{num_new_tokens, with_lookahead ? options.num_lookahead_tokens : 0})
    num = more > max_model_len_ - num ? max_model_len_ : num + more;
  return num;
}

std::size_t KVCacheManager::get_num_blocks_to_allocate(const Request& request,
                                                       std::size_t num_new_tokens,
                                                       const AllocateOptions& options) const {
  std::size_t num_tokens = num_slots(request, num_new_tokens, options, true);
  if (options.full_sequence_must_fit)
    num_tokens = std::max(num_tokens, std::min(max_model_len_, request.token_ids.size()));
  const auto hits = options.new_computed_blocks;
  const std::size_t num_held = get_blocks(request.request_id).num_blocks() + hits.size();
  const std::size_t num_blocks =
      std::max(blocks_for(num_tokens, block_pool_.block_size()), num_held) - num_held;
  const auto is_free = [](const KVCacheBlock* hit) { return hit->ref_cnt == 0 && !hit->is_null; };
  return num_blocks + static_cast<std::size_t>(std::ranges::count_if(hits, is_free));
}

std::optional<AllocatedSlots> KVCacheManager::allocate_slots(const Request& request,
                                                             std::size_t num_new_tokens,
                                                             const AllocateOptions& options) {
  const std::string& id = request.request_id;
  const auto hits = options.new_computed_blocks;
  require_hashed(request, block_pool_.block_size());
  require_allocatable(request, num_new_tokens, hits, get_blocks(id));
  const std::vector<std::size_t> shared = blocks_to_unshare(request);
  if (shared.size() + get_num_blocks_to_allocate(request, num_new_tokens, options) >
      block_pool_.get_num_free_blocks())
    return std::nullopt;
  AllocatedSlots allocated;
  block_pool_.touch(hits);
  BlockTable& table = req_to_blocks_.insert({id, no_blocks_}).first->second;
  table.append(hits);
  num_cached_block_[id] += hits.size();
  unshare(request, shared, allocated);
  grow(request, num_slots(request, num_new_tokens, options, true), allocated);
  cache(request,
        std::min(num_slots(request, num_new_tokens, options, false), request.token_ids.size()));
  return allocated;
}

void KVCacheManager::unshare(const Request& request,
                             const std::vector<std::size_t>& shared,
                             AllocatedSlots& allocated) {
  const std::string& id = request.request_id;
  BlockTable& table = req_to_blocks_.at(id);
  const std::size_t num_full = request.num_computed_tokens / block_pool_.block_size();
  for (std::size_t i = num_cached_block_[id]; forked_.contains(id) && i < num_full; ++i)
    if (table.blocks()[i]->block_hash) num_cached_block_[id] = i + 1;
  std::vector<KVCacheBlock*> replaced;
  for (const std::size_t i : shared) {
    KVCacheBlock* old = replaced.emplace_back(table.blocks()[i]);
    allocated.new_blocks.push_back(block_pool_.get_new_blocks(1)->front());
    table.replace(i, *allocated.new_blocks.back());
    const std::size_t num_written = request.num_computed_tokens % block_pool_.block_size();
    if (i == num_full && num_written > 0)
      allocated.copies.push_back(
          {old->block_id, allocated.new_blocks.back()->block_id, num_written});
  }
  block_pool_.free_blocks(std::vector(replaced.rbegin(), replaced.rend()));
}

void KVCacheManager::grow(const Request& request,
                          std::size_t num_slots,
                          AllocatedSlots& allocated) {
  BlockTable& table = req_to_blocks_.at(request.request_id);
  while (table.num_slots() < num_slots) {
    const auto block = block_pool_.get_new_blocks(1);
    table.append(*block);
    allocated.new_blocks.push_back(block->front());
  }
}

void KVCacheManager::cache(const Request& request, std::size_t num_tokens) {
  if (!enable_caching_) return;
  std::size_t& num_cached = num_cached_block_.at(request.request_id);
  const std::size_t num_full = num_tokens / block_pool_.block_size();
  block_pool_.cache_full_blocks(request, get_blocks(request.request_id).blocks(), num_cached,
                                num_full);
  num_cached = std::max(num_cached, num_full);
}

void KVCacheManager::free(const Request& request) {
  auto blocks = get_blocks(request.request_id).blocks();
  for (; !blocks.empty(); blocks = blocks.first(blocks.size() - 1))
    block_pool_.free_blocks(blocks.last(1));
  req_to_blocks_.erase(request.request_id);
  num_cached_block_.erase(request.request_id);
  parents_.erase(request.request_id);
  forked_.erase(request.request_id);
}

void KVCacheManager::preempt(Request& request) {
  free(request);
  request.num_computed_tokens = 0;
}

std::size_t KVCacheManager::get_num_common_prefix_blocks(const std::string& request_id) const {
  if (rules_ == Rules::kVllm033) return 0;
  const auto num_requests = static_cast<std::int32_t>(req_to_blocks_.size());
  std::size_t num_common = 0;
  const auto blocks = get_blocks(request_id).blocks();
  while (enable_caching_ && num_common < blocks.size() &&
         blocks[num_common]->ref_cnt == num_requests)
    ++num_common;
  return num_common;
}

}  // namespace kv
