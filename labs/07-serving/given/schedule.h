#pragma once
// What a scheduler may do in a step, what it says of a step, and what it says after it.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "04-kv-cache-manager/allocation.h"
#include "07-serving/given/served_request.h"
#include "07-serving/request_queue.h"

namespace kv {

// vLLM: SchedulerConfig in vllm/config/scheduler.py
struct SchedulerConfig {
  std::size_t max_num_batched_tokens;            // most tokens of one step
  std::size_t max_num_seqs;                      // that run at one time
  std::size_t max_model_len;                     // tokens of a request, prompt and output
  std::size_t long_prefill_token_threshold = 0;  // most tokens of a request in a step; 0: no limit
  bool enable_chunked_prefill = true;            // a prompt may be computed in several steps
  bool scheduler_reserve_full_isl = false;       // admit only if the whole request would fit
  double watermark = 0;                          // share of blocks that an admission leaves free
  bool reserve_prefills = false;                 // it also leaves what running prompts lack
  SchedulingPolicy policy = SchedulingPolicy::kFcfs;
  std::size_t vocab_size = 0;  // tokens are below it; 0: not looked at. Engine takes the model's
};

enum class ScheduledAs { kRunning, kNew, kResumed };

struct ScheduledRequest {
  std::string request_id;
  ScheduledAs scheduled_as;
  std::size_t num_computed_tokens;           // before the step; of an admitted request, its hits
  std::size_t num_tokens;                    // that the step computes, after these
  std::vector<TokenId> spec_token_ids = {};  // the last of them, if they are drafts
};

// vLLM: SchedulerOutput in vllm/v1/core/sched/output.py
struct SchedulerOutput {
  std::vector<ScheduledRequest> scheduled;     // running requests first, then admitted ones
  std::vector<std::string> preempted_req_ids;  // in the order in which they lost their blocks
  std::vector<std::string> finished_req_ids;   // that ended or were aborted since the last step
  std::size_t num_common_prefix_blocks = 0;    // first blocks that all running requests share
  std::vector<BlockCopy> blocks_to_copy;       // in this order, before anything is computed (7.18)
};

// vLLM: EngineCoreOutput in vllm/v1/engine/__init__.py
struct EngineCoreOutput {
  std::string request_id;
  std::vector<TokenId> new_token_ids = {};
  std::optional<FinishReason> finish_reason = {};  // none: it goes on
};

}  // namespace kv
