#pragma once
// The layout of a KV cache: two tensors of one shape, one of keys and one of values. Neighbors in
// the last index are neighbors in memory:
//
//   [num_blocks, block_size, num_kv_heads, head_dim]
//
// Block 5, with 4 slots, 2 KV heads and 3 dimensions. The numbers are indices into the tensor:
//
//                     KV head 0         KV head 1
//                   d0   d1   d2      d0   d1   d2
//       slot 20  [ 120  121  122  |  123  124  125 ]     slot = block_id * block_size + offset
//       slot 21  [ 126  127  128  |  129  130  131 ]
//       slot 22  [ 132  133  134  |  135  136  137 ]     a token is one row: token_size() numbers
//       slot 23  [ 138  139  140  |  141  142  143 ]
//
// Block 6 begins at 144. The cache does not say whose token is in slot 20; block tables do.

#include <cstddef>
#include <cstdint>
#include <span>

#include "kv/types.h"

namespace kv {

constexpr SlotId kPadSlotId = -1;  // padding: a token with this slot is not written

struct PagedLayout {
  std::size_t num_blocks;
  std::size_t block_size;  // slots in a block
  std::size_t num_kv_heads;
  std::size_t head_dim;

  std::size_t num_slots() const { return num_blocks * block_size; }
  std::size_t token_size() const { return num_kv_heads * head_dim; }
  std::size_t size() const { return num_slots() * token_size(); }

  // The index in the tensor of dimension 0 of this head of this slot.
  std::size_t index(SlotId slot, std::size_t kv_head) const {
    return (static_cast<std::size_t>(slot) * num_kv_heads + kv_head) * head_dim;
  }
};

// The two tensors of one layer. A view: it owns no memory.
template <class Real>
struct KVCache {
  PagedLayout layout;
  std::span<Real> key_cache;    // [num_blocks, block_size, num_kv_heads, head_dim]
  std::span<Real> value_cache;  // [num_blocks, block_size, num_kv_heads, head_dim]

  std::span<Real> key(SlotId slot, std::size_t kv_head) const {  // [head_dim]
    return key_cache.subspan(layout.index(slot, kv_head), layout.head_dim);
  }
  std::span<Real> value(SlotId slot, std::size_t kv_head) const {  // [head_dim]
    return value_cache.subspan(layout.index(slot, kv_head), layout.head_dim);
  }
};

}  // namespace kv
