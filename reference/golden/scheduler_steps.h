#pragma once
// What the Scheduler of vLLM 0.22 did, step by step: twelve traces, seven with FCFS and then five
// with PRIORITY; and what that of 0.33 did: six and then five. make_scheduler_steps.py wrote the
// lines and says what is held out:
//
//   trace POLICY ID NUM_BLOCKS BLOCK_SIZE MAX_MODEL_LEN MAX_NUM_BATCHED_TOKENS MAX_NUM_SEQS
//         LONG_PREFILL_TOKEN_THRESHOLD CHUNKED_PREFILL FULL_SEQUENCE_MUST_FIT CACHING
//   add REQUEST MAX_TOKENS PRIORITY ARRIVAL TOKENS                     a digit is a token
//   schedule REQUEST:COMPUTED:TOKENS:KIND:BLOCKS ... | PREEMPTED | FINISHED | COMMON  and the state
//   output REQUEST:TOKEN ... | FINISHED                                               and the state
//   abort REQUEST                                                                     and the state
//   reset SUCCESS                                                                     and the state
//
// KIND is n (new), r (resumed) or - (running). BLOCKS are the whole table of an admitted request,
// and the new blocks of a running one. The state: | WAITING | RUNNING | FREE, each in its order;
// FREE is left out where it is as in the line before. FINISHED and PREEMPTED are sets.

namespace kv::golden {

inline constexpr const char* kSchedulerSteps[] = {
#include "reference/golden/scheduler_steps.inc"
};

inline constexpr const char* kSchedulerSteps033[] = {
#include "reference/golden/scheduler_steps_0_33.inc"
};

}  // namespace kv::golden
