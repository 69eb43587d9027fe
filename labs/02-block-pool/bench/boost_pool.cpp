// A translation unit of its own, because BlockPool is one too: the calls of the bench are not
// inlined, Boost's list is.

#include "02-block-pool/bench/boost_pool.h"

#include <algorithm>

#include "kv/require.h"

namespace kv::bench {

#if KV_BENCH_HAS_BOOST

template <Checks kChecks>
BoostPool<kChecks>::BoostPool(std::size_t num_blocks) : blocks_(num_blocks) {
  blocks_.front().is_null = true;
  free_blocks_.insert(free_blocks_.end(), blocks_.begin() + 1, blocks_.end());
}

template <Checks kChecks>
auto BoostPool<kChecks>::get_new_blocks(std::size_t num_blocks)
    -> std::optional<std::vector<Block*>> {
  if (num_blocks > free_blocks_.size()) return std::nullopt;
  std::vector<Block*> blocks(num_blocks);
  for (Block*& block : blocks) {
    block = &free_blocks_.front();
    free_blocks_.pop_front();
  }
  for (Block* block : blocks) {
    if (block->block_hash) forget(*block);
    block->ref_cnt = 1;
  }
  return blocks;
}

template <Checks kChecks>
void BoostPool<kChecks>::free_blocks(std::span<Block* const> ordered_blocks) {
  if (kChecks == Checks::kOurs) {
    KV_REQUIRE("free_blocks takes blocks of this pool that have a user",
               std::ranges::all_of(ordered_blocks, [this](auto* b) { return is_held(*b); }));
  }
  for (std::size_t i = 0; i < ordered_blocks.size(); ++i) {
    Block& block = *ordered_blocks[i];
    if (kChecks == Checks::kOurs && block.is_null) continue;
    if (kChecks == Checks::kOurs && block.ref_cnt == 0) {
      take_back(ordered_blocks.first(i));
      throw ContractViolation("a block is listed more often than it is held");
    }
    if (--block.ref_cnt == 0) free_blocks_.push_back(block);
  }
}

template <Checks kChecks>
void BoostPool<kChecks>::take_back(std::span<Block* const> blocks) {
  for (Block* block : blocks)
    if (block->ref_cnt++ == 0) free_blocks_.erase(free_blocks_.iterator_to(*block));
}

template <Checks kChecks>
void BoostPool<kChecks>::forget(Block& block) {
  block.block_hash.reset();
}

template class BoostPool<Checks::kOurs>;
template class BoostPool<Checks::kNone>;

#endif

}  // namespace kv::bench
