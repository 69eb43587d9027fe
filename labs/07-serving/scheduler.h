#pragma once
// The scheduler: it says, for each step of the model, which requests compute and how many tokens.
//
//       add_request --> waiting --admitted--> running --finished--> forgotten
//                          ^                     |
//                          +----- preempted -----+
//
// There is no phase of the prompt and no phase of the output: a request that has tokens which are
// not computed goes on, with as many of them as the step has room for.
//
//   I14  A step computes at most max_num_batched_tokens tokens, and at most max_num_seqs requests
//        run.
//   I15  A request is either waiting or running, and only running requests have blocks.
//   I16  Under kFcfs, the request that has run the longest computes in every step in which it has
//        tokens that are not computed. Under kPriority, the first of the most urgent that run is
//        preempted only if no other runs.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "07-serving/given/schedule.h"
#include "07-serving/given/served_request.h"
#include "07-serving/given/step.h"
#include "07-serving/request_queue.h"
#include "07-serving/scheduling_rules.h"

namespace kv {

// vLLM: Scheduler in vllm/v1/core/sched/scheduler.py, without a connector or adapters
class Scheduler {
 public:
  // Misuse: steps without tokens or requests, a max_model_len of 0 or one for which the pool or,
  // without chunked prefill, a step has no room, and a watermark outside [0, 1) are refused.
  Scheduler(KVCacheManager& kv_cache_manager, const SchedulerConfig& config);

  const SchedulerConfig& config() const { return config_; }
  const std::deque<ServedRequest*>& waiting() const { return waiting_.requests(); }  // next first
  const std::vector<ServedRequest*>& running() const { return running_; }            // as admitted
  bool has_request(const std::string& request_id) const { return requests_.contains(request_id); }
  // Requires: has_request(id).
  const ServedRequest& request(const std::string& id) const { return requests_.at(id); }

  // 7.1  Lets the request wait, with its full blocks hashed and its prompt counted.
  // Misuse: an id that has a request, a request of another block size, with computed tokens or with
  // other fields that only the scheduler writes, a prompt without a token, of max_model_len and
  // more or with a token outside the vocabulary, max_tokens of 0, min_tokens that exceed max_tokens
  // or what max_model_len leaves, a temperature below 0, a top_p outside (0, 1] and prompt_logprobs
  // without num_logprobs are refused. O(prompt).           vLLM: add_request
  void add_request(ServedRequest request);

  // 7.2  Aborts requests, one after the other, whether they wait or run: their blocks are free at
  // once, and the next step lists them as finished. An id without a request changes nothing.
  // O(its blocks + running, and waiting if it waits) for each.       vLLM: finish_requests
  void finish_requests(std::span<const std::string> request_ids);

  // 7.3  The next step: running requests first (7.5) and, if none was preempted for them, then
  // waiting ones (7.4). What it schedules counts as computed from here on, so that a step can be
  // scheduled before the one before it has been computed. Lists once each request that ended or was
  // aborted, and counts the blocks that all running requests begin with (4.9).    vLLM: schedule
  SchedulerOutput schedule();

  // Given: the drafts that the next step computes after the last known token of a request; in the
  // middle of its prompt, none. Misuse: an id without a request, one with no token to compute, and
  // a draft outside the vocabulary are refused.            vLLM: update_draft_token_ids
  void update_draft_token_ids(const std::string& request_id, std::vector<TokenId> drafts);

  // 7.8  The model has computed a step, and sampled_token_ids[i] are the tokens that it sampled for
  // output.scheduled[i]: none after a part of the known tokens, else one, and one more for each
  // draft that was right. A request gets its tokens one after the other, with the hashes of blocks
  // that they make full, until one ends it by the rules of 7.7; its blocks are free then, and the
  // next step lists it as finished. Gives the requests that got tokens, in their order, with the
  // tokens that they got. One that was aborted in the meantime is skipped.
  // Misuse: another number of lists than of scheduled requests, more than one token for a request
  // and each of its drafts, and one for a request of which the step has not computed the last known
  // token, refuse the whole call. A request without its token waits for it.
  // Requires: no id of the step has been aborted and added again since.
  // O(scheduled) and, for each that ends, as 7.2.          vLLM: update_from_output
  std::vector<EngineCoreOutput> update_from_output(
      const SchedulerOutput& output, std::span<const std::vector<TokenId>> sampled_token_ids);

  // 7.17 (extra)  Another answer: a child of a running request runs, too, as the one admitted last,
  // with its own sampling_params, and without drafts or preemptions. It has the computed tokens of
  // its parent, which are all but the last, shares their blocks (4.10), and computes the last of
  // them once more: that gives its next token. Exhaustion: false if max_num_seqs requests run, and
  // nothing has changed. Misuse: a parent that does not run, has no output or does not lack exactly
  // its last token, an id that has a request, max_tokens that leave no token, and sampling_params
  // that 7.1 refuses, are refused. O(tokens of the parent).   vLLM: Sequence.fork, until 2025
  bool fork_request(const std::string& parent_id,
                    const std::string& child_id,
                    const SamplingParams& sampling_params);

 private:
  // 7.4  Admits waiting requests, the next one first, while the step has room and fewer than
  // max_num_seqs run. Each is admitted with its hits, and computes its other tokens: at most
  // long_prefill_token_threshold, and at most what the step has room for. With
  // scheduler_reserve_full_isl it needs blocks for all its tokens (4.5). The first that gets no
  // blocks, or that has too little room while chunked prefill is off, waits, and all after it.
  //                                                        vLLM: schedule
  void schedule_waiting(Step& step);

  // 7.5  Schedules running requests, in their order, while the step has room. Each computes its
  // tokens that are not computed, with the limits of 7.4, or what the step has room for, also
  // without chunked prefill; one that has none is skipped. When there are too few blocks for them,
  // the victim, which is the request that was admitted last, is preempted, until there are enough.
  // If the victim is the request itself, no other is scheduled but by 7.20.       vLLM: schedule
  void schedule_running(Step& step);

  // 7.20 (extra)  Called by 7.5 for a request that was its own victim: under Rules::kVllm033, goes
  // on with those after it, which are more urgent under kPriority.        vLLM: schedule, in 0.33
  void schedule_after_own_victim(Step& step);

  // 7.6  Takes a request, which has left running_, out of its blocks: it waits before all others,
  // or in its place under kPriority, without drafts, starts over later, and the step lists it as
  // preempted. Cost: as 4.7.                         vLLM: _preempt_request
  void preempt_request(Step& step, ServedRequest& request);

  // Given, at the end of parallel_sampling.cpp, in scheduler_parts.h, and in scheduler.cpp.
  // allocate_slots (4.6) for a running request, and its copies (4.11) for the step. Exhaustion:
  // false, and nothing has changed.                        vLLM: _append_slots, until 2025
  bool append_slots(Step& step, const ServedRequest& request, std::size_t num_tokens);
  // allocate_slots (4.6) for a waiting request, which leaves the blocks of 7.21 free.
  std::optional<AllocatedSlots> allocate_slots(const ServedRequest& request,
                                               std::size_t num_tokens,
                                               const AllocateOptions& options);
  // What 7.4 and 7.5 compute of a request, drafts too, if the step has room.
  std::size_t num_tokens_left(const ServedRequest& request, std::size_t num_computed_tokens) const;
  // Takes the victim out of running_; under kPriority, by 7.13.
  ServedRequest& take_victim(Step& step);
  // Frees the blocks of the request and forgets it.
  void forget(ServedRequest& request);

  // 7.13 (extra)  The victim under kPriority: takes the running request with the largest (priority,
  // arrival_time) out of running_; of several, the one that was admitted last. A victim that the
  // step has scheduled leaves the step: the requests after the present one can get its tokens, and
  // the blocks that these tokens filled are not cached. No other request is skipped.
  //                                 vLLM: schedule, which leaves these blocks cached
  ServedRequest& take_least_urgent(Step& step);

  // 7.16 (extra)  Called before a request gets its tokens: the drafts of a request that were not
  // right are no longer computed. Takes nothing back from a request without sampled tokens, and
  // from one that was preempted after this step, even if it has resumed.  vLLM: update_from_output
  void take_back_rejected(const SchedulerOutput& output,
                          std::span<const std::vector<TokenId>> sampled_token_ids);

  KVCacheManager& kv_cache_manager_;
  SchedulerConfig config_;
  std::unordered_map<std::string, ServedRequest> requests_;
  RequestQueue waiting_;
  std::vector<ServedRequest*> running_;
  std::vector<std::string> finished_req_ids_;
};

}  // namespace kv

#include "07-serving/given/scheduler_parts.h"
