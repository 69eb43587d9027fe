#pragma once
// The second design: nano-vLLM's block manager, one class over the free queue and the prefix table.
// A sequence carries its block table, and its blocks are cached after the model has computed them:
//
//       can_allocate  -->  allocate  -->  (the model computes)  -->  hash_blocks  -->  deallocate
//       hits, or no room   all blocks     num_computed_tokens +=     others find it
//                                         may_append: a token more
//
// There is no null block: the ids begin with 0, and every block is handed out.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "01-free-queue/free_kv_cache_block_queue.h"
#include "03-block-hashing/block_hash_to_block_map.h"
#include "03-block-hashing/prefix_table.h"
#include "03-block-hashing/request.h"

namespace kv {

// A request that carries its block table. Only a BlockManager writes the table.
//
// nano-vLLM: Sequence in nanovllm/engine/sequence.py; there num_computed_tokens is
// num_cached_tokens
struct Sequence {
  Request request;
  std::vector<KVCacheBlock*> block_table = {};
};

// Owns the metadata of all blocks. Each call takes a sequence whose blocks are of this manager.
//
// nano-vLLM: BlockManager in nanovllm/engine/block_manager.py, as of April 2026
class BlockManager {
 public:
  // All blocks are free, in the order of their ids. Misuse: 0 blocks, or blocks of 0 tokens, are
  // refused.                                                                      O(num_blocks)
  BlockManager(std::size_t num_blocks, std::size_t block_size);
  BlockManager(const BlockManager&) = delete;  // block tables point at its blocks
  BlockManager& operator=(const BlockManager&) = delete;

  std::span<const KVCacheBlock> blocks() const { return blocks_; }
  std::size_t block_size() const { return block_size_; }
  const FreeKVCacheBlockQueue& free_blocks() const { return free_blocks_; }
  const PrefixTable& prefix_table() const { return prefix_table_; }

  // 4.13 (extra)  Takes the block that has been free the longest, for one user. What was cached in
  // it is not found in it any more, and is held by it no longer.
  // Exhaustion: nullptr.
  // O(1) expected, and O(1) for each prefix that goes with it.
  // nano-vLLM: _allocate_block (raises)
  KVCacheBlock* allocate_block();

  // 4.14 (extra)  Whether there are free blocks for all tokens of the sequence that have no slot.
  // O(1), allocates nothing.                           nano-vLLM: can_append
  bool can_append(const Sequence& sequence) const;

  // 4.15 (extra)  Gives the tokens of the sequence that have no slot new blocks, and no block more.
  // Exhaustion: false, and nothing has changed.
  // O(new blocks) expected.                            nano-vLLM: may_append (one at each call)
  bool may_append(Sequence& sequence);

  // 4.16 (extra)  Takes the sequence out of each of its blocks, the last block first. A block
  // without users goes to the tail of the free queue, and stays cached. The sequence has no blocks
  // and no computed tokens then.
  // O(its blocks), allocates nothing.                  nano-vLLM: deallocate
  void deallocate(Sequence& sequence);

  // 4.17 (extra)  The model has computed num_scheduled_tokens tokens after the computed ones:
  // caches the blocks that they have filled, after their prefix, and leaves older blocks with the
  // same prefix cached. The caller adds to num_computed_tokens afterwards.
  // Misuse: tokens without a slot, a full block that is not hashed, a block that is cached already,
  // and a first block whose parent is not cached refuse the whole call.
  // O(blocks cached) expected.                         nano-vLLM: hash_blocks
  void hash_blocks(const Sequence& sequence, std::size_t num_scheduled_tokens);

  // 4.18 (extra)  The longest cached beginning of the request, without its last token, which is
  // computed anyway; of each prefix, the block that was cached first. Changes nothing.
  // Misuse: a request of another block size, or with a full block that is not hashed, is refused.
  // O(blocks found + 1) expected.                      nano-vLLM: in can_allocate and in allocate
  std::vector<KVCacheBlock*> get_cached_blocks(const Request& request) const;

  // Given: how many blocks step 4.18 finds, if there is room for all tokens (4.19).
  // Exhaustion: nullopt.
  // Cost: as 4.18.                                     nano-vLLM: can_allocate (-1 for no room)
  std::optional<std::size_t> can_allocate(const Sequence& sequence) const;

  // 4.20 (extra)  Gives all tokens of the sequence blocks: first those of step 4.18, with one user
  // more, then new ones. Tokens in the blocks found count as computed.
  // num_cached_blocks: the answer of can_allocate in the same step.
  // Exhaustion: false, and nothing has changed.
  // Misuse: a sequence with blocks, and another number than 4.18 finds, are refused.
  // O(its blocks) expected.                            nano-vLLM: allocate (raises in the middle)
  bool allocate(Sequence& sequence, std::size_t num_cached_blocks);

 private:
  // 4.19 (extra)  Whether enough blocks are free for all tokens of a sequence without blocks that
  // gets those of step 4.18, `hits`, first. Hits in use need no room; those that are free do.
  // Changes nothing.
  // O(hits).                                           nano-vLLM: in can_allocate
  bool has_room(const Sequence& sequence, std::span<KVCacheBlock* const> hits) const;

  std::size_t block_size_;
  std::vector<KVCacheBlock> blocks_;  // [BlockId]
  FreeKVCacheBlockQueue free_blocks_;
  PrefixTable prefix_table_;           // which text a prefix is
  BlockHashToBlockMap cached_blocks_;  // which blocks hold it
};

}  // namespace kv
