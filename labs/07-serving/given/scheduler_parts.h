#pragma once
// Given: what a waiting request is given, and what is refused of tokens and drafts. scheduler.h
// includes this file at its end.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "07-serving/given/served_request.h"
#include "07-serving/speculation.h"
#include "kv/require.h"

namespace kv {

// Step 7.21. A request that runs takes the blocks that it needs; one that waits leaves some free.
inline std::optional<AllocatedSlots> Scheduler::allocate_slots(const ServedRequest& request,
                                                               std::size_t num_tokens,
                                                               const AllocateOptions& options) {
  if (config_.watermark > 0 || config_.reserve_prefills) {
    const std::size_t num_needed =
        kv_cache_manager_.get_num_blocks_to_allocate(request, num_tokens, options) +
        num_blocks_left_free(config_, kv_cache_manager_, running_);
    if (num_needed > kv_cache_manager_.block_pool().get_num_free_blocks()) return std::nullopt;
  }
  return kv_cache_manager_.allocate_slots(request, num_tokens, options);
}

// vocab_size: 0 if every token is allowed.
inline void require_in_vocabulary(std::span<const TokenId> token_ids, std::size_t vocab_size) {
  const auto is_outside = [vocab_size](TokenId token) {
    return token < 0 || std::cmp_greater_equal(token, vocab_size);
  };
  KV_REQUIRE("a token is one of the model's vocabulary",
             vocab_size == 0 || std::ranges::none_of(token_ids, is_outside));
}

inline void Scheduler::update_draft_token_ids(const std::string& request_id,
                                              std::vector<TokenId> drafts) {
  KV_REQUIRE("drafts are those of a request", has_request(request_id));
  ServedRequest& request = requests_.at(request_id);
  KV_REQUIRE("drafts come after a known token that is not computed",
             request.num_computed_tokens < request.token_ids.size());
  require_in_vocabulary(drafts, config_.vocab_size);

  // Why: the model guesses what follows its last token, and in the middle of a prompt it has none.
  const bool has_last_token = request.num_computed_tokens + 1 == request.token_ids.size();
  request.spec_token_ids = has_last_token ? std::move(drafts) : std::vector<TokenId>();
}

// Step 7.14.
inline void require_lookup(const SpeculativeConfig& config) {
  KV_REQUIRE("at least one token has to repeat",
             config.prompt_lookup_min > 0 && config.prompt_lookup_min <= config.prompt_lookup_max);
}

}  // namespace kv
