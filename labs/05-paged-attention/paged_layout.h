#pragma once
// One page, drawn. A KV cache is two tensors of one shape, one of keys and one of values, the last
// index running fastest:
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
// Block 6 goes on at 144. Whose token lies in slot 20, no index says; block tables do.

#include <cstddef>
#include <cstdint>
#include <span>

#include "kv/types.h"

namespace kv {

using SlotId = std::int64_t;       // the place of one token
constexpr SlotId kPadSlotId = -1;  // no place: what is meant for it is not written

struct PagedLayout {
  std::size_t num_blocks;
  std::size_t block_size;  // slots in a block
  std::size_t num_kv_heads;
  std::size_t head_dim;

  std::size_t num_slots() const { return num_blocks * block_size; }
  std::size_t token_size() const { return num_kv_heads * head_dim; }
  std::size_t size() const { return num_slots() * token_size(); }

  // Where dimension 0 of this head of this slot lies in the tensor.
  std::size_t index(SlotId slot, std::size_t kv_head) const {
    return (static_cast<std::size_t>(slot) * num_kv_heads + kv_head) * head_dim;
  }
};

// Both tensors of one layer. A view: it owns nothing.
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
