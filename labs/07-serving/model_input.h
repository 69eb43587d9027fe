#pragma once
// What ties the scheduler to the model: the tokens of a step, one request after the other, and
// where the keys and values of each are.
//
// The last token of B (position 4), and a chunk of A (positions 2 and 3 of 6 tokens), whose first
// block is also B's; blocks of 2:
//
//       input_ids         b4  a2  a3             a row each
//       positions          4   2   3
//       slot_mapping       6   8   9             where the row's key and value are written
//       query_start_loc    0   1       3         request r has the rows from [r] to [r + 1]
//       seq_lens           5   4                 tokens that are computed after the step
//       block_tables      [1 2 3] [1 4 0]        padded to the longest one with 0

#include <cstddef>
#include <span>
#include <vector>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "05-paged-attention/paged_layout.h"
#include "07-serving/given/schedule.h"
#include "07-serving/scheduler.h"

namespace kv {

// vLLM: InputBatch and CommonAttentionMetadata in vllm/v1
struct ModelInput {
  std::vector<TokenId> input_ids;            // [num_tokens]
  std::vector<std::size_t> positions;        // [num_tokens], in the request
  std::vector<SlotId> slot_mapping;          // [num_tokens]
  std::vector<std::size_t> query_start_loc;  // [num_reqs + 1]
  std::vector<std::size_t> seq_lens;         // [num_reqs]
  std::size_t max_num_blocks = 0;            // blocks of the request that has the most
  std::vector<BlockId> block_tables;         // [num_reqs, max_num_blocks]; 0 after the last block

  std::size_t num_reqs() const { return seq_lens.size(); }
  std::span<const BlockId> block_table(std::size_t req) const {  // [max_num_blocks]
    return std::span(block_tables).subspan(req * max_num_blocks, max_num_blocks);
  }
};

// Given: the token of a scheduled request at a position: a known one or, after these, a draft.
inline TokenId token_at(std::size_t position,
                        const ServedRequest& request,
                        const ScheduledRequest& scheduled) {
  const std::size_t num_known = request.token_ids.size();
  return position < num_known ? request.token_ids[position]
                              : scheduled.spec_token_ids[position - num_known];
}

// 7.9  The input of the model for a step, with the requests in the order of output.scheduled.
// Requires: output is the last one of scheduler, whose requests still have their blocks.
// O(tokens of the step + num_reqs * max_num_blocks).
// vLLM: GPUModelRunner._prepare_inputs (0.33: prepare_inputs)
ModelInput prepare_inputs(const SchedulerOutput& output,
                          const Scheduler& scheduler,
                          const KVCacheManager& kv_cache_manager);

// 7.10  Attention of one layer for a step: writes the key and the value of every row into its slot,
// then lets each row attend to the tokens of its request up to its own. Why in this order: a block
// that two requests share is written by one of them in the step in which the other reads it. The
// bits of a row depend on the tokens of its request alone: not on their blocks, nor on the rows
// beside it.
// Requires: input is one that 7.9 gives.
// Misuse: what 5.2 refuses of a row, or 5.6 of a request, refuses the whole call.
// vLLM: Attention.forward in vllm/model_executor/layers/attention/attention.py
void attention_forward(std::span<float> out,          // [num_tokens, num_heads, head_dim]
                       std::span<const float> query,  // [num_tokens, num_heads, head_dim]
                       std::span<const float> key,    // [num_tokens, num_kv_heads, head_dim]
                       std::span<const float> value,  // [num_tokens, num_kv_heads, head_dim]
                       const KVCache<float>& cache,   // the layer's cache
                       const ModelInput& input,
                       float scale);

// 7.18 (extra)  Makes the copies, in the order of the list: the keys and values of all layers in
// the first num_slots slots of the block source are those of the block destination then, too. No
// other number changes. Called before a step is computed.
// Misuse: a block that a cache does not have, or more slots than a block has, refuse the whole
// call.
// O(copied numbers), allocates nothing.  vLLM: PagedAttention.copy_blocks, until 2025
void copy_blocks(std::span<const KVCache<float>> kv_caches,  // [layer]
                 std::span<const BlockCopy> blocks_to_copy);

}  // namespace kv
