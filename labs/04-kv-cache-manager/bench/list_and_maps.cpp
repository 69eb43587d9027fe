// Why a file of its own: then a call of this manager costs what a call of the lab's costs.

#include "04-kv-cache-manager/bench/list_and_maps.h"

#include <algorithm>
#include <random>
#include <utility>

namespace kv::bench {

ListAndMaps::ListAndMaps(std::size_t num_blocks, std::size_t block_size)
    : block_size_(block_size), blocks_(num_blocks) {
  Blocks order;
  for (Block& block : blocks_) {
    block.block_id = static_cast<BlockId>(order.size());
    order.push_back(&block);
  }
  std::ranges::shuffle(order, std::mt19937(42));
  for (Block* block : order) block->place = free_blocks_.insert(free_blocks_.end(), block);
}

ListAndMaps::ComputedBlocks ListAndMaps::get_computed_blocks(const Request& request) const {
  Blocks hits;
  for (std::size_t i = 0; (i + 1) * block_size_ < request.token_ids.size(); ++i) {
    const auto found = cached_.find(request.block_hashes[i]);
    if (found == cached_.end()) break;
    hits.push_back(found->second);
  }
  const std::size_t num_tokens = hits.size() * block_size_;
  return {std::move(hits), num_tokens};
}

std::optional<ListAndMaps::Blocks> ListAndMaps::allocate_slots(const Request& request,
                                                               std::size_t num_new_tokens,
                                                               const AllocateOptions& options) {
  const auto hits = options.new_computed_blocks;
  Held& held = held_[request.request_id];
  const std::size_t num_tokens =
      request.num_computed_tokens + hits.size() * block_size_ + num_new_tokens;
  const std::size_t num_new_blocks =
      (num_tokens + block_size_ - 1) / block_size_ - held.blocks.size() - hits.size();
  const auto num_free_hits = std::ranges::count(hits, 0, &Block::ref_cnt);
  if (num_new_blocks + static_cast<std::size_t>(num_free_hits) > free_blocks_.size())
    return std::nullopt;
  for (Block* hit : hits)
    if (hit->ref_cnt++ == 0) free_blocks_.erase(hit->place);
  held.blocks.insert(held.blocks.end(), hits.begin(), hits.end());
  held.num_cached_blocks += hits.size();
  Blocks new_blocks(num_new_blocks);
  for (Block*& block : new_blocks) block = &take_oldest();
  held.blocks.insert(held.blocks.end(), new_blocks.begin(), new_blocks.end());
  for (std::size_t& i = held.num_cached_blocks; i < num_tokens / block_size_; ++i)
    if (cached_.emplace(request.block_hashes[i], held.blocks[i]).second)
      held.blocks[i]->block_hash = request.block_hashes[i];
  return new_blocks;
}

void ListAndMaps::free(const Request& request) {
  const auto held = held_.find(request.request_id);
  const Blocks& blocks = held->second.blocks;
  std::for_each(blocks.rbegin(), blocks.rend(), [this](Block* block) {
    if (--block->ref_cnt == 0) block->place = free_blocks_.insert(free_blocks_.end(), block);
  });
  held_.erase(held);
}

ListAndMaps::Block& ListAndMaps::take_oldest() {
  Block& block = *free_blocks_.front();
  free_blocks_.pop_front();
  if (block.block_hash) cached_.erase(*block.block_hash);
  block.block_hash.reset();
  block.ref_cnt = 1;
  return block;
}

}  // namespace kv::bench
