#pragma once
// The competitors of the two free queues. Each starts with blocks 0, 1, 2, ... in the queue and has
// the two operations that an engine needs most:
//
//   rotate()          pop the head, append it       a block is handed out and freed
//   move_to_back(id)  remove a block, append it     a prefix hit takes it, and it is freed again

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "01-free-queue/kv_cache_block.h"
#include "grader/harness/bench_rows.h"

#if __has_include(<boost/intrusive/list.hpp>)
#define KV_BENCH_HAS_BOOST 1
#include <boost/intrusive/list.hpp>
#else
#define KV_BENCH_HAS_BOOST 0
#endif

namespace kv::bench {

// A queue that links blocks, with the blocks that it links.
template <class Queue, class Block = KVCacheBlock>
class QueueAndBlocks {
 public:
  explicit QueueAndBlocks(std::size_t num_blocks) : blocks_(num_blocks), queue_(blocks_) {}

  BlockId rotate() {  // the id of the block
    Block* head = queue_.popleft();
    queue_.append(*head);
    return static_cast<BlockId>(head - blocks_.data());
  }
  void move_to_back(BlockId id) {
    Block& block = blocks_[static_cast<std::size_t>(id)];
    queue_.remove(block);
    queue_.append(block);
  }

 private:
  std::vector<Block> blocks_;
  Queue queue_;
};

// No links in the blocks: a list node for each id, and a map from id to node.
class StdListAndMap {
 public:
  explicit StdListAndMap(std::size_t num_blocks);
  void rotate();
  void move_to_back(BlockId id);

 private:
  std::list<BlockId> ids_;
  std::unordered_map<BlockId, std::list<BlockId>::iterator> nodes_;
};

// nano-vLLM's structure: the fastest to rotate, and O(n) to remove from.
class StdDeque {
 public:
  explicit StdDeque(std::size_t num_blocks);
  void rotate();
  void move_to_back(BlockId id);

 private:
  std::deque<BlockId> ids_;
};

// Not a queue, but the wait that every linked queue has: it reads the next link, from an array of 8
// bytes a block like CompactFreeQueue's, and writes nothing.
class BareChase {
 public:
  explicit BareChase(std::size_t num_blocks);  // linked in random order
  void rotate() { at_ = links_[at_].next; }

 private:
  struct Links {
    std::uint32_t prev, next;
  };
  std::vector<Links> links_;
  std::uint32_t at_ = 0;
};

#if KV_BENCH_HAS_BOOST
namespace intrusive = boost::intrusive;

// KVCacheBlock, with Boost's links in the place of ours.
template <intrusive::link_mode_type Mode>
struct alignas(64) LinkedBlock : intrusive::list_base_hook<intrusive::link_mode<Mode>> {
  BlockId block_id = 0;
  std::int32_t ref_cnt = 0;
  std::optional<BlockHash> block_hash;
  bool is_null = false;
};

template <class Block>
using BoostList = intrusive::list<Block, intrusive::constant_time_size<true>>;

// Boost at its fastest: inlined, without checks, with stale links in a block outside.
class BareBoost {
 public:
  using Block = LinkedBlock<intrusive::normal_link>;
  explicit BareBoost(std::span<Block> blocks) : list_(blocks.begin(), blocks.end()) {}
  Block* popleft() {
    Block* head = &list_.front();
    list_.pop_front();
    return head;
  }
  void remove(Block& block) { list_.erase(list_.iterator_to(block)); }
  void append(Block& block) { list_.push_back(block); }

 private:
  BoostList<Block> list_;
};

// Boost under our contract: not inlined, misuse refused, links null outside the queue.
class GuardedBoost {
 public:
  using Block = LinkedBlock<intrusive::safe_link>;
  explicit GuardedBoost(std::span<Block> blocks);
  Block* popleft();
  void remove(Block& block);
  void append(Block& block);

 private:
  BoostList<Block> list_;
};
#endif

inline void report_missing_boost() {
  std::puts("Boost is not installed: no ratios, no goals");
  rows().note(
      "Boost is not installed, so these tables have no peer, and ./lab bench was not allowed to "
      "install it: apt-get install libboost-dev, remove build/lab/bench, and run this again");
}

}  // namespace kv::bench
