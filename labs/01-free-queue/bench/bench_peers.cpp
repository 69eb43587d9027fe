// The competitors in a translation unit of their own, because a student's queue is in one too.

#include "01-free-queue/bench/bench_peers.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "kv/require.h"

namespace kv::bench {

StdListAndMap::StdListAndMap(std::size_t num_blocks) : ids_(num_blocks) {
  std::iota(ids_.begin(), ids_.end(), BlockId{0});
  for (auto node = ids_.begin(); node != ids_.end(); ++node) nodes_[*node] = node;
}

void StdListAndMap::rotate() {
  move_to_back(ids_.front());
}

void StdListAndMap::move_to_back(BlockId id) {
  const auto found = nodes_.find(id);
  ids_.erase(found->second);
  nodes_.erase(found);
  nodes_[id] = ids_.insert(ids_.end(), id);
}

StdDeque::StdDeque(std::size_t num_blocks) : ids_(num_blocks) {
  std::iota(ids_.begin(), ids_.end(), BlockId{0});
}

void StdDeque::rotate() {
  ids_.push_back(ids_.front());
  ids_.pop_front();
}

void StdDeque::move_to_back(BlockId id) {
  ids_.erase(std::ranges::find(ids_, id));
  ids_.push_back(id);
}

BareChase::BareChase(std::size_t num_blocks) : links_(num_blocks) {
  std::vector<std::uint32_t> order(num_blocks);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::shuffle(order, std::mt19937(42));
  for (std::size_t i = 0; i < num_blocks; ++i) {
    links_[order[i]].next = order[(i + 1) % num_blocks];
  }
}

#if KV_BENCH_HAS_BOOST

GuardedBoost::GuardedBoost(std::span<Block> blocks) : list_(blocks.begin(), blocks.end()) {}

GuardedBoost::Block* GuardedBoost::popleft() {
  if (list_.empty()) return nullptr;
  Block* head = &list_.front();
  list_.pop_front();
  return head;
}

void GuardedBoost::remove(Block& block) {
  KV_REQUIRE("remove takes a block that is in the queue", block.is_linked());
  list_.erase(list_.iterator_to(block));
}

void GuardedBoost::append(Block& block) {
  KV_REQUIRE("append takes a block outside the queue", !block.is_linked());
  list_.push_back(block);
}

#endif

}  // namespace kv::bench
