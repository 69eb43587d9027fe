#include <algorithm>

#include "05-paged-attention/paged_attention.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

std::vector<SlotId> build_slot_mapping(std::span<const BlockId> block_table,
                                       std::size_t block_size,
                                       std::size_t start,
                                       std::size_t num_tokens,
                                       std::size_t padded_size) {
  KV_REQUIRE("a block has at least one slot", block_size > 0);
  KV_REQUIRE("I10: a position past the block table has no slot",
             start + num_tokens <= block_table.size() * block_size);
  KV_TODO("5.1 build_slot_mapping");
}

template <class Real>
void write_kv(std::span<const Real> k,
              std::span<const Real> v,
              std::span<const SlotId> slot_mapping,
              const KVCache<Real>& cache) {
  const PagedLayout& layout = cache.layout;
  KV_REQUIRE("write_kv takes one key and one value for each slot",
             k.size() == slot_mapping.size() * layout.token_size() && v.size() == k.size());
  KV_TODO("5.2 write_kv");
}

template decltype(write_kv<float>) write_kv<float>;
template decltype(write_kv<double>) write_kv<double>;

}  // namespace kv
