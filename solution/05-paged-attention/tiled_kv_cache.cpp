#include <algorithm>
#include <numeric>

#include "05-paged-attention/given/shape_checks.h"
#include "05-paged-attention/tiled_attention.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

template <class Stored>
void write_kv_tiled(std::span<const float> k,
                    std::span<const float> v,
                    std::span<const SlotId> slot_mapping,
                    const TiledKVCache<Stored>& cache) {
  const PagedLayout layout = cache.layout();
  KV_REQUIRE("the tiles have the size of their shape, and head_dim is a multiple of kTileTokens",
             has_its_layout(cache));
  KV_REQUIRE("write_kv_tiled takes one key and one value for each slot",
             has_rows(k, slot_mapping.size(), layout) && has_rows(v, slot_mapping.size(), layout));
  const auto is_writable = [&](SlotId slot) {
    return slot >= kPadSlotId && slot < static_cast<SlotId>(layout.num_slots());
  };
  KV_REQUIRE("a slot is in the cache, or it is kPadSlotId",
             std::ranges::all_of(slot_mapping, is_writable));

  for (std::size_t i = 0; i < k.size(); ++i) {
    const SlotId slot = slot_mapping[i / layout.token_size()];
    if (slot == kPadSlotId) continue;

    const std::size_t kv_head = i / layout.head_dim % layout.num_kv_heads;
    const std::size_t d = i % layout.head_dim;
    const auto token = static_cast<std::size_t>(slot) % kTileTokens;

    Stored* keys = cache.tile(static_cast<BlockId>(slot / SlotId{kTileTokens}), kv_head);
    Stored* values = keys + cache.tile_size();
    const std::size_t value_row = d / kTileTokens * kTileTokens + token;
    keys[place_in_tile<Stored>(d, token)] = narrow<Stored>(k[i]);
    values[place_in_tile<Stored>(value_row, d % kTileTokens)] = narrow<Stored>(v[i]);
  }
}

template <class Stored>
void tile_kv_cache(const KVCache<float>& plain, const TiledKVCache<Stored>& cache) {
  KV_REQUIRE("both caches have one shape, with blocks of kTileTokens slots, and the size of it",
             have_one_layout(plain, cache));
  std::vector<SlotId> every_slot(plain.layout.num_slots());
  std::iota(every_slot.begin(), every_slot.end(), SlotId{0});
  write_kv_tiled<Stored>(plain.key_cache, plain.value_cache, every_slot, cache);
}

// A template in a .cpp file is compiled only for the types that are listed here. Why decltype: it
// is the signature, which would have to be written again.
template decltype(write_kv_tiled<float>) write_kv_tiled<float>;
template decltype(write_kv_tiled<BFloat16>) write_kv_tiled<BFloat16>;
template decltype(tile_kv_cache<float>) tile_kv_cache<float>;
template decltype(tile_kv_cache<BFloat16>) tile_kv_cache<BFloat16>;

}  // namespace kv
