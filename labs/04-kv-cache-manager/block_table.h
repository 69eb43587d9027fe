#pragma once
// The block table: from the position of a token in its request to the slot of the token in memory.
//
//       position   34 = 2 * 16 + 2       block 2 of the request, slot 2 in it
//                       |
//       table      [#5 #12 #3]           block 2 of the request is #3
//                           |
//       slot        3 * 16 + 2 = 50
//
//   I10  The token at position p is in slot
//        block_table[p / block_size] * block_size + p % block_size, and in no other.

#include <cstddef>
#include <span>
#include <vector>

#include "01-free-queue/kv_cache_block.h"
#include "kv/types.h"

namespace kv {

// The blocks of one request, in the order of its tokens. It owns no block, and counts no users.
//
// vLLM: a list of req_to_blocks in single_type_kv_cache_manager.py; as numbers for the GPU,
// BlockTable in vllm/v1/worker/block_table.py (0.33: BlockTables in
// vllm/v1/worker/gpu/block_table.py)
class BlockTable {
 public:
  // block_size: tokens in a block. Misuse: 0, and more than 2^31 - 1, are refused.          O(1)
  explicit BlockTable(std::size_t block_size);

  std::span<KVCacheBlock* const> blocks() const { return blocks_; }
  std::size_t num_blocks() const { return blocks_.size(); }
  std::size_t num_slots() const { return blocks_.size() * block_size_; }

  // 4.1  Adds blocks after those in the table, in the order given. The blocks stay as they are.
  // O(new_blocks.size()).                               vLLM: append_row
  void append(std::span<KVCacheBlock* const> new_blocks);

  // 4.2  The slot of the token at a position (I10).
  // Misuse: a position past the last block, or in a null block, has no slot and is refused.
  // O(1), allocates nothing.                            vLLM: none, it maps whole batches
  SlotId slot(std::size_t position) const;

  // 4.3  The slots of num_tokens positions from first_position on, in their order; an empty vector
  // for 0 positions, wherever they are.
  // Misuse: if one of the positions has no slot, the call is refused.
  // O(num_tokens), allocates the vector.                vLLM: compute_slot_mapping
  std::vector<SlotId> slot_mapping(std::size_t first_position, std::size_t num_tokens) const;

  // Given: puts another block in the place of block `logical_block` of the request.
  void replace(std::size_t logical_block, KVCacheBlock& block) { blocks_[logical_block] = &block; }

 private:
  // Given: whether the table is long enough for these positions.
  bool covers(std::size_t first_position, std::size_t num_tokens) const {
    return num_tokens == 0 ||
           (first_position < num_slots() && num_tokens <= num_slots() - first_position);
  }

  std::size_t block_size_;
  std::vector<KVCacheBlock*> blocks_;  // [logical block]
};

}  // namespace kv
