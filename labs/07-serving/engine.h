#pragma once
// The engine: a model, a KV cache and a scheduler, which answer requests step by step.
//
//            +--> schedule --> prepare_inputs --> model.forward --> sample --+
//            |       |                                |                      |
//            |   KVCacheManager                attention_forward             |
//            |   (who has which block)         (what is in the blocks)       |
//            +------------------- update_from_output <-----------------------+

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "07-serving/given/llama.h"
#include "07-serving/given/sampled_token.h"
#include "07-serving/given/step_logits.h"
#include "07-serving/model_input.h"
#include "07-serving/scheduler.h"
#include "07-serving/speculation.h"

namespace kv {

struct EngineConfig {
  std::size_t num_gpu_blocks;  // with the null block
  std::size_t block_size;
  bool enable_prefix_caching = true;
  Rules rules = Rules::kVllm022;
  SchedulerConfig scheduler;
  SpeculativeConfig speculative = {};
};

// vLLM: EngineCore in vllm/v1/engine/core.py
class Engine {
 public:
  // Requires: the model is there as long as the engine.
  // Misuse: what KVCacheManager and Scheduler refuse, with drafts what 7.14 refuses, and a
  // max_model_len that exceeds the model's max_position_embeddings, are refused.
  Engine(const LlamaModel& model, const EngineConfig& config);

  KVCacheManager& kv_cache_manager() { return kv_cache_manager_; }
  Scheduler& scheduler() { return scheduler_; }
  bool has_requests() const {
    return !scheduler_.running().empty() || !scheduler_.waiting().empty();
  }
  std::size_t block_size() const { return block_size_; }
  // The sum of a hash for every token that was sampled, of its request, its position and its
  // logits: the same bits in another order give the same sum.
  std::uint64_t logits_hash() const { return logits_hash_; }
  // The tokens that the model has computed. One that is computed again counts again.
  std::size_t num_computed_tokens() const { return num_computed_tokens_; }
  std::size_t num_copied_blocks() const { return num_copied_blocks_; }
  // The tokens that a request with num_logprobs got since the last call. Those of a request that
  // has ended are there until the next step.
  std::vector<SampledToken> take_sampled(const std::string& request_id) {
    const auto kept = sampled_.extract(request_id);
    return kept.empty() ? std::vector<SampledToken>() : kept.mapped();
  }
  // The tokens of the prompt of a request with prompt_logprobs, but for the first, which follows
  // nothing. To be called after the step that gives the request its first token.
  std::vector<SampledToken> take_prompt_logprobs(const std::string& request_id);

  // 7.11  One step: schedules, lets the model compute what is scheduled, samples the next tokens of
  // each request of which all known tokens are computed then, and hands them to the scheduler.
  // Gives what 7.8 gives. A step with nothing to compute is no error. Text and bits of the logits
  // depend on the request and the model alone: not on blocks, steps, drafts, other requests or
  // preemptions.
  //                                              vLLM: EngineCore.step
  std::vector<EngineCoreOutput> step();

 private:
  // Given, in given/engine_parts.h.
  PagedLayout layout();  // each layer's caches have it
  // Gives each running request that lacks only its last known token its drafts (7.14), if there are
  // to be drafts.
  void propose_drafts();
  std::vector<KVCache<float>> kv_caches();  // [layer]
  // Makes the copies of a step (7.18), if it has some, and computes it.
  // Gives the hidden states of its rows.         [num_tokens, hidden_size]
  std::vector<float> execute_model(const SchedulerOutput& output, const ModelInput& input);
  // Keeps, of the rows of a step, what take_prompt_logprobs lists.
  //                                              vLLM: GPUModelRunner._get_prompt_logprobs_dict
  void keep_prompt_logprobs(const SchedulerOutput& output,
                            const ModelInput& input,
                            std::span<const float> hidden_states);
  // Computes the logits of all rows that a step samples from.
  void compute_logits(const SchedulerOutput& output,
                      const ModelInput& input,
                      std::span<const float> hidden_states);
  // The next token of a request, and those that its drafts give (7.15).
  std::vector<TokenId> sample(const ScheduledRequest& scheduled,
                              std::span<const float> hidden_states);  // its rows in the step

  const LlamaModel& model_;
  std::size_t block_size_;
  KVCacheManager kv_cache_manager_;
  Scheduler scheduler_;
  SpeculativeConfig speculative_;
  std::vector<std::vector<float>> key_caches_;    // [layer], of a PagedLayout
  std::vector<std::vector<float>> value_caches_;  // [layer], of a PagedLayout
  StepLogits step_logits_;
  std::uint64_t logits_hash_ = 0;
  std::size_t num_computed_tokens_ = 0;
  std::size_t num_copied_blocks_ = 0;
  std::unordered_map<std::string, std::vector<SampledToken>> sampled_;
  std::unordered_map<std::string, std::map<std::size_t, SampledToken>> prompt_logprobs_;  // [index]
};

}  // namespace kv

#include "07-serving/given/engine_parts.h"
