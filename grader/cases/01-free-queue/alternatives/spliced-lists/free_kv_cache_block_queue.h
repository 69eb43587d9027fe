#pragma once
// Standard containers only: two lists, and a table that says where each block is.

#include <cstddef>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "01-free-queue/kv_cache_block.h"

namespace kv {

// A ring of free blocks, first in, first out, with removal from the middle. It owns no block.
//
// vLLM: FreeKVCacheBlockQueue in vllm/v1/core/kv_cache_utils.py (two fake nodes, no ring)
class FreeKVCacheBlockQueue {
 public:
  // Queues all blocks in the order of the span; it may be empty.
  // Requires: the blocks outlive the queue, and none is in a queue.                        O(n)
  explicit FreeKVCacheBlockQueue(std::span<KVCacheBlock> blocks);

  FreeKVCacheBlockQueue(const FreeKVCacheBlockQueue&) = delete;  // blocks point at the sentinel
  FreeKVCacheBlockQueue& operator=(const FreeKVCacheBlockQueue&) = delete;

  // How many blocks are in the queue (I5).                                                 O(1)
  std::size_t num_free_blocks() const { return num_free_blocks_; }

  // 1.1  The blocks from head to tail. For tests and for people; the engine never asks.
  // O(n), allocates the vector.                             vLLM: get_all_free_blocks
  std::vector<KVCacheBlock*> get_all_free_blocks() const;

  // 1.2  Takes `block` out from wherever it stands: a prefix-cache hit revives a free block.
  // Misuse: a block outside every queue is refused (I6); one of another queue is not seen.
  // O(1), allocates nothing.                                vLLM: remove
  void remove(KVCacheBlock& block);

  // 1.3  Takes the block that has been free the longest.
  // Exhaustion: nullptr from an empty queue.
  // O(1), allocates nothing.                                vLLM: popleft (raises when empty)
  KVCacheBlock* popleft();

  // 1.4  Puts `block` at the tail: of all free blocks it will be reused last.
  // Misuse: a block that is in the queue already is refused (I6).
  // O(1), allocates nothing.                                vLLM: append (does not check)
  void append(KVCacheBlock& block);

  // 1.5  Takes the first `num_blocks` blocks, head first; 0 gives an empty vector.
  // Exhaustion: nullopt when fewer are free, and nothing has moved.
  // O(num_blocks), allocates the vector.                    vLLM: popleft_n (raises)
  std::optional<std::vector<KVCacheBlock*>> popleft_n(std::size_t num_blocks);

  // 1.6  Puts `blocks` at the tail in the order given; an empty span changes nothing.
  // Misuse: one block that is in the queue already, or is listed twice, refuses the whole call,
  // and nothing has moved (I6).
  // O(blocks.size()), allocates nothing.                    vLLM: append_n (does not check)
  void append_n(std::span<KVCacheBlock* const> blocks);

 private:
  using List = std::list<KVCacheBlock*>;
  struct Place {
    List::iterator node;
    bool is_free;
  };
  Place& place_of(const KVCacheBlock& block) { return places_.at(&block); }

  List free_;
  List outside_;  // the nodes of blocks in use: moving a node between lists allocates nothing
  std::unordered_map<const KVCacheBlock*, Place> places_;
  std::size_t num_free_blocks_;
};

}  // namespace kv
