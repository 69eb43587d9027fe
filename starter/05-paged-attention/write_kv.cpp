#include <algorithm>

#include "05-paged-attention/given/shape_checks.h"
#include "05-paged-attention/paged_attention.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

std::vector<SlotId> build_slot_mapping(std::span<const BlockId> block_table,
                                       std::size_t block_size,
                                       std::size_t start,
                                       std::size_t num_tokens,
                                       std::size_t padded_size) {
  KV_REQUIRE("I10: each position has a block in the table, and a slot that SlotId can hold",
             has_slots(block_table, block_size, start, num_tokens));

  KV_TODO("5.1 build_slot_mapping");
}

template <class Real>
void write_kv(std::span<const Real> k,
              std::span<const Real> v,
              std::span<const SlotId> slot_mapping,
              const KVCache<Real>& cache) {
  const PagedLayout& layout = cache.layout;
  KV_REQUIRE("the tensors of the cache have the size of its layout", has_its_layout(cache));
  KV_REQUIRE("write_kv takes one key and one value for each slot",
             has_rows(k, slot_mapping.size(), layout) && has_rows(v, slot_mapping.size(), layout));
  KV_TODO("5.2 write_kv");
}

// A template in a .cpp file is compiled only for the types that are listed here. Why decltype: it
// is the signature, which would have to be written again.
template decltype(write_kv<float>) write_kv<float>;
template decltype(write_kv<double>) write_kv<double>;

}  // namespace kv
