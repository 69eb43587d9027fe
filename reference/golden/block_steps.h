#pragma once
// What the queue, the pool and the manager of vLLM 0.33 did, call by call. make_block_steps.py
// wrote the lines and says what is held out. After a call, the state follows: the parts of it that
// have changed, and the events of the call:
//
//   | free BLOCKS | used BLOCK:REF_CNT ... | cached BLOCK:HASH ... | events EVENT ...
//
// BLOCKS and HASHES have a dot between two, and are - if there are none. `free` begins with the
// head. A hash is a number, the same for equal ones. An EVENT is stored:HASHES:PARENT,
// removed:HASH or cleared; those of a call are sorted. What a call did not get is written as none.

namespace kv::golden {

//   trace ID NUM_BLOCKS
//   append BLOCK                append_n BLOCKS                 remove BLOCK [refused]
//   popleft BLOCK               popleft_n NUM BLOCKS
inline constexpr const char* kQueueSteps033[] = {
#include "reference/golden/queue_steps_0_33.inc"
};

//   trace ID NUM_BLOCKS BLOCK_SIZE CACHING
//   init                        the state of a new pool
//   new NUM BLOCKS              touch BLOCKS                    free BLOCKS
//   cache BLOCKS NUM_CACHED NUM_FULL HASHES                     all blocks and hashes of a request
//   lookup HASHES BLOCK         of the last hash; those before it are its parents
//   evict BLOCKS                reset SUCCESS
inline constexpr const char* kPoolSteps033[] = {
#include "reference/golden/pool_steps_0_33.inc"
};

//   trace ID NUM_BLOCKS BLOCK_SIZE CACHING
//   init
//   add REQUEST TOKENS HASHES SALT SKIPS_READING                a digit is a token
//   append REQUEST TOKENS HASHES                                hashes of the blocks that are new
//   lookup REQUEST BLOCKS
//   alloc REQUEST COMPUTED NEW HITS LOOKAHEAD MUST_FIT BLOCKS | table BLOCKS
//   free REQUEST                preempt REQUEST                 common_prefix REQUEST NUM
//   evict BLOCKS                reset SUCCESS
inline constexpr const char* kManagerSteps033[] = {
#include "reference/golden/manager_steps_0_33.inc"
};

}  // namespace kv::golden
