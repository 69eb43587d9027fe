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
  KV_TODO("5.10 write_kv_tiled");
}

template <class Stored>
void tile_kv_cache(const KVCache<float>& plain, const TiledKVCache<Stored>& cache) {
  KV_REQUIRE("both caches have one shape, with blocks of kTileTokens slots, and the size of it",
             have_one_layout(plain, cache));
  KV_TODO("5.11 tile_kv_cache");
}

// A template in a .cpp file is compiled only for the types that are listed here. Why decltype: it
// is the signature, which would have to be written again.
template decltype(write_kv_tiled<float>) write_kv_tiled<float>;
template decltype(write_kv_tiled<BFloat16>) write_kv_tiled<BFloat16>;
template decltype(tile_kv_cache<float>) tile_kv_cache<float>;
template decltype(tile_kv_cache<BFloat16>) tile_kv_cache<BFloat16>;

}  // namespace kv
