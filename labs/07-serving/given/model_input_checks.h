#pragma once
// What attention refuses before it writes anything. The rest is refused by write_kv (5.2), which is
// called first.

#include <span>

#include "05-paged-attention/given/shape_checks.h"
#include "07-serving/model_input.h"
#include "kv/require.h"

namespace kv {

// Step 7.10.
inline void require_attendable(std::span<float> out,
                               std::span<const float> query,
                               const PagedLayout& layout,
                               const ModelInput& input) {
  KV_REQUIRE("query and out have a row for each token of the step",
             shapes_match(out, query, input.slot_mapping.size(), layout));
  for (std::size_t req = 0; req < input.num_reqs(); ++req) {
    KV_REQUIRE("I11: the table names a block of the cache for each token of a request",
               covers(layout, input.block_table(req), input.seq_lens[req]));
  }
}

// Step 7.18.
inline void require_copyable(std::span<const KVCache<float>> kv_caches,
                             std::span<const BlockCopy> blocks_to_copy) {
  const auto has = [](const PagedLayout& layout, BlockId block) {
    return block >= 0 && static_cast<std::size_t>(block) < layout.num_blocks;
  };
  for (const KVCache<float>& cache : kv_caches) {
    for (const auto& [source, destination, num_slots] : blocks_to_copy) {
      KV_REQUIRE("copies are from blocks of the cache to others, of slots that a block has",
                 has(cache.layout, source) && has(cache.layout, destination) &&
                     num_slots <= cache.layout.block_size);
    }
  }
}

}  // namespace kv
