#pragma once
// Rules of the scheduler that are functions by themselves: when a request ends, and what today's
// vLLM decides in another way than 0.22.

#include <cstddef>
#include <optional>
#include <span>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "07-serving/given/schedule.h"
#include "07-serving/given/served_request.h"

namespace kv {

// 7.7  Whether the last token of a request ends it. The first of these rules that holds decides:
//
//   fewer than min_tokens of output                      it goes on
//   the token is eos_token_id or one of stop_token_ids   kStop
//   max_model_len tokens, or max_tokens of output        kLength
//
// Requires: the request has output.  O(stop_token_ids).
// vLLM: check_stop in sched/utils.py (0.33: min_tokens last)
std::optional<FinishReason> check_stop(const ServedRequest& request, std::size_t max_model_len);

// 7.19 (extra)  The most tokens that a request computes in a step; 0: no limit. It is the
// long_prefill_token_threshold of the config, which is there so that a long prompt does not hold
// others up: a request that is alone, whether it waits or runs, has no limit.
// num_requests: that wait or run.  O(1).                   vLLM: schedule, since 0.32
std::size_t threshold_among(const SchedulerConfig& config, std::size_t num_requests);

// 7.21 (extra)  How many blocks an admission leaves free, so that the requests that run need not be
// preempted soon after it: `watermark` of all blocks of the pool, rounded down; with
// reserve_prefills, also the blocks that these requests need for their known tokens and do not
// have. None if nobody runs: a request that is alone has to be admitted at last (I16).
// O(1), and O(running) with reserve_prefills, allocates nothing.
// vLLM: watermark_blocks, and reserved_blocks of requests whose KV is loaded, since 0.24
std::size_t num_blocks_left_free(const SchedulerConfig& config,
                                 KVCacheManager& kv_cache_manager,
                                 std::span<ServedRequest* const> running);

}  // namespace kv
