#pragma once
// The free queue: which blocks may be handed out, and in which order.
//
//       .------------------------------------------------------.
//       '-> [sentinel] <-> #3 <-> #0 <-> #7 <-> ... <-> #5 <-> -'
//                          head: free the longest       tail: freed last
//
// The links are inside the blocks: queueing a block allocates nothing, and a block can leave from
// anywhere in O(1). The sentinel closes the ring, so every block has two neighbors and no operation
// needs a case for the first or the last block.
//
//   I5  The queue counts exactly: num_free_blocks() blocks are in it, each of them once.
//   I6  Links show membership: a block outside the queue has both links null, and neighbors inside
//       it point at each other. The sentinel is never handed out.
//   I7  First in, first out: blocks leave at the head in the order in which they came in at the
//       tail, and taking one out of the middle moves no other.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "01-free-queue/kv_cache_block.h"

namespace kv {

// A ring of free blocks, first in, first out, with removal from the middle. It owns no block.
//
// vLLM: FreeKVCacheBlockQueue in vllm/v1/core/kv_cache_utils.py (two fake nodes, no ring)
class FreeKVCacheBlockQueue {
 public:
  // Queues all blocks in the order of the span, which can be empty.
  // Requires: the blocks outlive the queue, and none is in a queue.                        O(n)
  explicit FreeKVCacheBlockQueue(std::span<KVCacheBlock> blocks);

  FreeKVCacheBlockQueue(const FreeKVCacheBlockQueue&) = delete;  // blocks point at the sentinel
  FreeKVCacheBlockQueue& operator=(const FreeKVCacheBlockQueue&) = delete;

  // How many blocks are in the queue (I5).                                                 O(1)
  std::size_t num_free_blocks() const { return num_free_blocks_; }

  // 1.1  Returns the blocks from head to tail. For tests and debugging: the engine never calls it.
  // O(n), allocates the vector.                             vLLM: get_all_free_blocks
  std::vector<KVCacheBlock*> get_all_free_blocks() const;

  // 1.2  Takes `block` out of the queue from wherever it is, because a prefix-cache hit uses it.
  // Misuse: a block outside every queue is refused (I6); a block of another queue is not detected.
  // O(1), allocates nothing.                                vLLM: remove
  void remove(KVCacheBlock& block);

  // 1.3  Takes the block that has been free the longest, the head, and returns it.
  // Exhaustion: nullptr from an empty queue.
  // O(1), allocates nothing.                                vLLM: popleft (raises when empty)
  KVCacheBlock* popleft();

  // 1.4  Puts `block` at the tail: of all free blocks it will be reused last.
  // Misuse: a block that is in the queue already is refused (I6).
  // O(1), allocates nothing.                                vLLM: append (does not check)
  void append(KVCacheBlock& block);

  // 1.5  Takes the first `num_blocks` blocks and returns them, head first; an empty vector for 0.
  // Exhaustion: nullopt when fewer are free, and nothing has moved.
  // O(num_blocks), allocates the vector, with a fixed amount of stack.  vLLM: popleft_n (raises)
  std::optional<std::vector<KVCacheBlock*>> popleft_n(std::size_t num_blocks);

  // 1.6  Puts `blocks` at the tail in the order given; an empty span changes nothing.
  // Misuse: if one block is in the queue already or is listed twice, the whole call is refused, and
  // nothing has moved (I6).
  // O(blocks.size()), allocates nothing, with a fixed amount of stack.
  // vLLM: append_n (does not check)
  void append_n(std::span<KVCacheBlock* const> blocks);

  // 1.11 (extra)  Puts `blocks` at the head in the order given: the first of them is reused next,
  // before all that wait. An empty span changes nothing.
  // Misuse: if one block is in the queue already or is listed twice, the whole call is refused, and
  // nothing has moved (I6).
  // O(blocks.size()), allocates nothing, with a fixed amount of stack.
  // vLLM: prepend_n, since 0.24 (does not check)
  void prepend_n(std::span<KVCacheBlock* const> blocks);

 private:
  KVCacheBlock sentinel_{.block_id = -1};  // next_free_block: the head; prev_free_block: the tail
  std::size_t num_free_blocks_;
};

}  // namespace kv
