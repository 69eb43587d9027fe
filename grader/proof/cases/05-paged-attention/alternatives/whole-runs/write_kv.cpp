// Block by block: one table lookup for each block, and one copy for each run of adjacent slots.

#include <algorithm>

#include "05-paged-attention/given/shape_checks.h"
#include "05-paged-attention/paged_attention.h"
#include "kv/require.h"

namespace kv {

std::vector<SlotId> build_slot_mapping(std::span<const BlockId> block_table,
                                       std::size_t block_size,
                                       std::size_t start,
                                       std::size_t num_tokens,
                                       std::size_t padded_size) {
  KV_REQUIRE("I10: each position has a block in the table, and a slot that SlotId can hold",
             has_slots(block_table, block_size, start, num_tokens));
  std::vector<SlotId> slot_mapping;
  std::size_t offset = start % block_size;
  for (std::size_t block = start / block_size; slot_mapping.size() < num_tokens; ++block) {
    const std::int64_t first_slot = std::int64_t{block_table[block]} * std::int64_t(block_size);
    while (offset < block_size && slot_mapping.size() < num_tokens) {
      slot_mapping.push_back(first_slot + static_cast<SlotId>(offset++));
    }
    offset = 0;
  }
  while (slot_mapping.size() < padded_size) slot_mapping.push_back(kPadSlotId);
  return slot_mapping;
}

template <class Real>
void write_kv(std::span<const Real> k,
              std::span<const Real> v,
              std::span<const SlotId> slot_mapping,
              const KVCache<Real>& cache) {
  const PagedLayout& layout = cache.layout;
  const std::size_t num_tokens = slot_mapping.size();
  KV_REQUIRE("the tensors of the cache have the size of its layout", has_its_layout(cache));
  KV_REQUIRE("write_kv takes one key and one value for each slot",
             has_rows(k, num_tokens, layout) && has_rows(v, num_tokens, layout));
  for (const SlotId slot : slot_mapping) {
    const bool is_outside = slot < kPadSlotId ||
                            slot >= std::ssize(cache.key_cache) / std::int64_t(layout.token_size());
    KV_REQUIRE("a slot is in the cache, or it is kPadSlotId", !is_outside);
  }
  for (std::size_t first = 0, end = 1; first < num_tokens; first = end++) {
    if (slot_mapping[first] == kPadSlotId) continue;
    while (end < num_tokens && slot_mapping[end] == slot_mapping[end - 1] + 1) ++end;
    const std::size_t size = (end - first) * layout.token_size();
    const std::size_t to = layout.index(slot_mapping[first], 0);
    std::ranges::copy(k.subspan(first * layout.token_size(), size),
                      cache.key_cache.subspan(to, size).begin());
    std::ranges::copy(v.subspan(first * layout.token_size(), size),
                      cache.value_cache.subspan(to, size).begin());
  }
}

template decltype(write_kv<float>) write_kv<float>;
template decltype(write_kv<double>) write_kv<double>;

}  // namespace kv
