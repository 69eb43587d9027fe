#include "04-kv-cache-manager/kv_cache_manager.h"

#include <algorithm>
#include <utility>

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
  return req_to_blocks_.contains(request_id) ? req_to_blocks_.at(request_id).table : no_blocks_;
}

// By step 3.19, and by the number of blocks in place of the number of tokens.
ComputedBlocks KVCacheManager::get_computed_blocks(const Request& request) const {
  require_hashed(request, block_pool_.block_size());
  ComputedBlocks found;
  const std::size_t block_size = block_pool_.block_size();
  if (request.skip_reading_prefix_cache || !enable_caching_) return found;
  std::size_t max_num_blocks = request.token_ids.size() / block_size;
  if (max_num_blocks > 0 && request.token_ids.size() % block_size == 0) --max_num_blocks;
  found.blocks = block_pool_.find_longest_cache_hit_ahead(request, max_num_blocks * block_size);
  for (std::size_t i = 0; i < found.blocks.size(); ++i) found.num_tokens += block_size;
  return found;
}

// The larger of two needs, each counted by itself.
std::size_t KVCacheManager::get_num_blocks_to_allocate(const Request& request,
                                                       std::size_t num_new_tokens,
                                                       const AllocateOptions& options) const {
  const auto hits = options.new_computed_blocks;
  const std::size_t block_size = block_pool_.block_size();
  const std::size_t held = get_blocks(request.request_id).num_blocks() + hits.size();
  const auto need = [&](std::size_t num_tokens) {
    const std::size_t num_blocks = blocks_for(num_tokens, block_size);
    return num_blocks > held ? num_blocks - held : 0;
  };
  std::size_t num = need(num_tokens_need_slot(request, num_new_tokens, options));
  if (options.full_sequence_must_fit)
    num = std::max(num, need(std::min(request.token_ids.size(), max_model_len_)));
  for (const KVCacheBlock* hit : hits) num += hit->ref_cnt == 0 && !hit->is_null ? 1 : 0;
  return num;
}

// First all sums, then all changes; the table is made in a vector.
std::optional<AllocatedSlots> KVCacheManager::allocate_slots(const Request& request,
                                                             std::size_t num_new_tokens,
                                                             const AllocateOptions& options) {
  const auto hits = options.new_computed_blocks;
  const std::size_t block_size = block_pool_.block_size();
  require_hashed(request, block_size);
  require_allocatable(request, num_new_tokens, hits, get_blocks(request.request_id));
  auto allocated =
      is_forked(request) ? unshare_blocks(request, num_new_tokens, options) : AllocatedSlots{};
  if (!allocated) return std::nullopt;
  const std::size_t before = get_blocks(request.request_id).num_blocks() + hits.size();
  const std::size_t final = num_tokens_need_slot(request, num_new_tokens, {hits});
  const std::size_t slots = num_tokens_need_slot(request, num_new_tokens, options);
  const std::size_t after = std::max(before, blocks_for(slots, block_size));
  if (block_pool_.get_num_free_blocks() <
      get_num_blocks_to_allocate(request, num_new_tokens, options))
    return {};
  block_pool_.touch(hits);
  std::vector<KVCacheBlock*> added(hits.begin(), hits.end());
  const auto taken = block_pool_.get_new_blocks(after - before);
  added.insert(added.end(), taken->begin(), taken->end());
  RequestBlocks& held = req_to_blocks_.insert({request.request_id, {no_blocks_}}).first->second;
  held.table.append(added);
  if (!hits.empty()) held.num_cached_blocks = hits.size();
  allocated->new_blocks.insert(allocated->new_blocks.end(), taken->begin(), taken->end());
  cache_blocks(request, held, std::min(final, request.token_ids.size()));
  return allocated;
}

// Block after block.
void KVCacheManager::free(const Request& request) {
  const BlockTable table = get_blocks(request.request_id);
  for (std::size_t i = table.num_blocks(); i-- > 0;)
    block_pool_.free_blocks(table.blocks().subspan(i, 1));
  req_to_blocks_.erase(request.request_id);
}

void KVCacheManager::preempt(Request& request) {
  request.num_computed_tokens = 0;
  free(request);
}

std::size_t KVCacheManager::get_num_common_prefix_blocks(const std::string& request_id) const {
  if (rules_ == Rules::kVllm033) return 0;
  std::size_t num_common = 0;
  if (!enable_caching_) return num_common;
  for (const KVCacheBlock* block : get_blocks(request_id).blocks()) {
    if (static_cast<std::size_t>(block->ref_cnt) < req_to_blocks_.size()) break;
    ++num_common;
  }
  return num_common;
}

bool KVCacheManager::is_forked(const Request& request) const {
  const auto held = req_to_blocks_.find(request.request_id);
  return held != req_to_blocks_.end() && held->second.is_forked;
}

std::size_t KVCacheManager::num_tokens_need_slot(const Request& request,
                                                 std::size_t num_new_tokens,
                                                 const AllocateOptions& options) const {
  const std::size_t hit = options.new_computed_blocks.size() * block_pool_.block_size();
  const std::size_t computed = std::min(request.num_computed_tokens + hit, max_model_len_);
  const std::size_t with_new = computed + std::min(num_new_tokens, max_model_len_ - computed);
  return with_new + std::min(options.num_lookahead_tokens, max_model_len_ - with_new);
}

void KVCacheManager::cache_blocks(const Request& request,
                                  RequestBlocks& held,
                                  std::size_t num_tokens) {
  const std::size_t num_full = num_tokens / block_pool_.block_size();
  if (!enable_caching_ || held.num_cached_blocks >= num_full) return;
  const std::size_t first = std::exchange(held.num_cached_blocks, num_full);
  block_pool_.cache_full_blocks(request, held.table.blocks(), first, num_full);
}

}  // namespace kv
