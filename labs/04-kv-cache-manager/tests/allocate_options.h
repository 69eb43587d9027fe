#pragma once
// Every combination of what steps 4.5 and 4.6 are given: hits, free or in use, all that were found
// or fewer; new and lookahead tokens; full_sequence_must_fit; a short or a long model; caching on
// or off.

#include <algorithm>
#include <initializer_list>

#include "04-kv-cache-manager/tests/recorded_manager.h"

namespace kv::grader {

struct Options {
  std::size_t num_hits;  // how many of the two blocks that are found, from the first on
  bool is_hit_used;      // the first one, by another request
  std::size_t num_new;
  std::size_t num_lookahead;
  bool must_fit;
  std::size_t max_model_len;
  bool enable_caching;
};

constexpr std::size_t kSlots = 2, kTokens = 9;

inline std::size_t blocks_without_hits(const Options& options, bool must_fit) {
  std::size_t num_tokens = options.num_hits * kSlots + options.num_new + options.num_lookahead;
  if (must_fit) num_tokens = std::max(num_tokens, kTokens);
  num_tokens = std::min(num_tokens, options.max_model_len);
  const std::size_t num_blocks = (num_tokens + kSlots - 1) / kSlots;
  return num_blocks - std::min(num_blocks, options.num_hits);
}

// is_allocated: step 4.6 is called, too.
inline void expect_options(const Options& options, bool is_allocated) {
  RecordedManager manager({14, kSlots, options.max_model_len, options.enable_caching});
  if (options.enable_caching) manager.leave_behind({1, 2, 3, 4});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  if (options.is_hit_used) manager.pool().touch(blocks_of(manager.pool(), {1}));
  Ids table = {1, 2};
  table.resize(options.num_hits);
  const Asked asked{.hits = table,
                    .num_lookahead_tokens = options.num_lookahead,
                    .full_sequence_must_fit = options.must_fit};

  const std::size_t num_free_hits = options.num_hits - (options.is_hit_used ? 1 : 0);
  manager.expect_needed("A", options.num_new,
                        blocks_without_hits(options, options.must_fit) + num_free_hits, asked);
  if (!is_allocated) return;

  Ids expected = free_ids(manager.pool());
  std::erase_if(expected, [&](BlockId id) { return std::ranges::count(table, id) > 0; });
  expected.resize(blocks_without_hits(options, false));
  manager.expect_allocated("A", options.num_new, expected, asked);
  table.insert(table.end(), expected.begin(), expected.end());
  manager.expect_table("A", table);
}

inline void expect_every_combination(bool is_allocated) {
  for (const bool enable_caching : {true, false})
    for (const std::size_t num_hits : {0u, 1u, 2u})
      for (const std::size_t num_new : {1u, 2u, 5u})
        for (const std::size_t num_lookahead : {0u, 1u, 2u, 5u})
          for (const std::size_t max_model_len : {4u, 7u, 100u})
            for (const bool must_fit : {false, true})
              for (const bool is_hit_used : {false, true}) {
                if ((num_hits > 0 && !enable_caching) || (num_hits == 0 && is_hit_used)) continue;
                expect_options({num_hits, is_hit_used, num_new, num_lookahead, must_fit,
                                max_model_len, enable_caching},
                               is_allocated);
                if (testing::Test::HasFailure()) return;
              }
}

}  // namespace kv::grader
