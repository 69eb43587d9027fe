#pragma once
// Checks I5 and I6 on every block of the pool, not only on those that a walk over the queue finds:
// a block that kept a stale link is not found by the walk, and breaks the queue at the next append.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "01-free-queue/free_kv_cache_block_queue.h"

namespace kv::grader {

// A block whose fields besides the links have values, so that a queue that writes one is noticed.
// Why only some ids have a hash, or are null blocks: code can depend on whether a block is one.
inline KVCacheBlock marked_block(BlockId id) {
  static KVCacheBlock another;
  return {.block_id = id,
          .ref_cnt = id + 1,
          .is_null = id % 3 == 2,
          .block_hash = id % 2 == 0 ? std::optional<BlockHash>(id) : std::nullopt,
          .prefix_id = static_cast<PrefixId>(id) + 3,
          .next_same_prefix = &another};
}

inline bool is_marked(const KVCacheBlock& block, BlockId id) {
  const auto fields = [](const KVCacheBlock& b) {
    return std::tuple(b.block_id, b.ref_cnt, b.is_null, b.block_hash, b.prefix_id,
                      b.next_same_prefix);
  };
  return fields(block) == fields(marked_block(id));
}

inline std::string name_of(const KVCacheBlock& block) {
  return "#" + std::to_string(block.block_id);
}

inline bool is_in(std::span<const KVCacheBlock> pool, const KVCacheBlock* block) {
  return block >= pool.data() && block < pool.data() + pool.size();
}

// Whether a walk from `head` leaves the pool, as it does at the sentinel.
inline bool walk_ends(const KVCacheBlock& head, std::span<const KVCacheBlock> pool) {
  const KVCacheBlock* block = &head;
  for (std::size_t i = 0; i <= pool.size() && is_in(pool, block); ++i) {
    block = block->next_free_block;
  }
  return !is_in(pool, block);
}

// "#3 leads back to #1 (#0 -> #1 -> #2 -> #3 -> #1)", of a walk that does not end.
inline std::string draw_endless_walk(const KVCacheBlock& head, std::span<const KVCacheBlock> pool) {
  constexpr std::size_t kMostDrawn = 10;
  std::vector<bool> is_passed(pool.size(), false);
  const auto index = [&](const KVCacheBlock* block) {
    return static_cast<std::size_t>(block - pool.data());
  };
  std::string walk = name_of(head);
  const KVCacheBlock* last = &head;
  for (std::size_t num = 1;; ++num, last = last->next_free_block) {
    is_passed[index(last)] = true;
    if (num < kMostDrawn) walk += " -> " + name_of(*last->next_free_block);
    if (num == kMostDrawn) walk += " -> ...";
    if (is_passed[index(last->next_free_block)]) break;
  }
  return name_of(*last) + " leads back to " + name_of(*last->next_free_block) + " (" + walk + ")";
}

// What is wrong with links from block to block that never come to the sentinel. nullopt: they do.
inline std::optional<std::string> endless_walk(std::span<const KVCacheBlock> pool) {
  for (const KVCacheBlock& block : pool) {
    const bool is_head = block.prev_free_block != nullptr && !is_in(pool, block.prev_free_block);
    if (!is_head || walk_ends(block, pool)) continue;
    return "I6: " + draw_endless_walk(block, pool) +
           ", so a walk over the ring never comes to the sentinel";
  }
  return std::nullopt;
}

// "of #2 is #0, not #1": the first link backwards that is wrong in a queue whose links forwards
// give `listed`. Empty if there is none, or if the queue has no links in blocks.
inline std::string wrong_prev(std::span<KVCacheBlock* const> listed,
                              std::span<const KVCacheBlock> pool) {
  for (std::size_t i = 1; i < listed.size(); ++i) {
    const KVCacheBlock& before = *listed[i - 1];
    const KVCacheBlock* prev = listed[i]->prev_free_block;
    if (before.next_free_block != listed[i] || prev == &before) continue;
    const std::string yours = prev == nullptr     ? "null"
                              : is_in(pool, prev) ? name_of(*prev)
                                                  : "no block of this test";
    return "of " + name_of(*listed[i]) + " is " + yours + ", not " + name_of(before);
  }
  return "";
}

// I6 for one block of a queue that links its blocks. `is_queued`: whether the walk found it.
inline std::optional<std::string> broken_link_invariant(const KVCacheBlock& block,
                                                        bool is_queued,
                                                        std::span<const KVCacheBlock> pool) {
  const std::string name = name_of(block);
  if (!is_queued && (block.prev_free_block != nullptr || block.next_free_block != nullptr)) {
    return "I6: a block outside the queue has both links null, but " + name + " kept one";
  }
  const KVCacheBlock* next = block.next_free_block;
  if (is_in(pool, next) && next->prev_free_block != &block) {
    return "I6: neighbors inside the queue point at each other, but the block after " + name +
           " does not point back";
  }
  return std::nullopt;
}

// The first broken invariant, in the contract's words; nullopt if all hold.
// Requires: pool[i].block_id == i.
template <class Queue>
std::optional<std::string> broken_invariant(const Queue& queue,
                                            std::span<const KVCacheBlock> pool) {
  std::vector<bool> is_queued(pool.size(), false);
  const std::vector<KVCacheBlock*> listed = queue.get_all_free_blocks();
  for (const KVCacheBlock* block : listed) {
    if (!is_in(pool, block)) {
      return "I6: the sentinel is never handed out, but the list holds a block of no pool";
    }
    const auto id = static_cast<std::size_t>(block->block_id);
    if (is_queued[id])
      return "I5: each block is in the queue once, but two are #" + std::to_string(id);
    is_queued[id] = true;
  }
  if (queue.num_free_blocks() != listed.size()) {
    return "I5: the queue counts exactly, but num_free_blocks() is " +
           std::to_string(queue.num_free_blocks()) + " and " + std::to_string(listed.size()) +
           " blocks are in it";
  }
  if constexpr (std::is_same_v<Queue, FreeKVCacheBlockQueue>) {
    for (std::size_t id = 0; id < pool.size(); ++id) {
      if (auto broken = broken_link_invariant(pool[id], is_queued[id], pool)) return broken;
    }
  }
  return std::nullopt;
}

}  // namespace kv::grader
