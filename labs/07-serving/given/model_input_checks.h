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

}  // namespace kv
