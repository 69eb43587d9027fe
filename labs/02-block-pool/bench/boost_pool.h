#pragma once
// The competitor of the block pool: the same pool on boost::intrusive::list, with the checks of our
// contract or without any.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "01-free-queue/bench/bench_peers.h"

namespace kv::bench {

#if KV_BENCH_HAS_BOOST
enum class Checks { kOurs, kNone };

template <Checks kChecks>
class BoostPool {
 public:
  using Block = LinkedBlock<intrusive::normal_link>;
  explicit BoostPool(std::size_t num_blocks);

  std::span<Block> blocks() { return blocks_; }
  std::size_t get_num_free_blocks() const { return free_blocks_.size(); }
  std::optional<std::vector<Block*>> get_new_blocks(std::size_t num_blocks);
  void free_blocks(std::span<Block* const> ordered_blocks);

 private:
  bool is_held(const Block& block) const {
    const std::less<const Block*> before;
    return !before(&block, blocks_.data()) && before(&block, blocks_.data() + blocks_.size()) &&
           (block.is_null || block.ref_cnt > 0);
  }
  void take_back(std::span<Block* const> blocks);
  void forget(Block& block);  // in place of lab 03's eviction; no block of the bench has a hash

  std::vector<Block> blocks_;  // blocks_[0] is the null block
  BoostList<Block> free_blocks_;
};
#endif

}  // namespace kv::bench
