#pragma once
// What Engine::step calls: drafts before a step, the pass through the model, and sampling after it.
// engine.h includes this file at its end, where Engine is known.

#include <cmath>
#include <utility>

#include "07-serving/given/sampler.h"
#include "kv/require.h"

namespace kv {

inline SchedulerConfig with_vocabulary(SchedulerConfig scheduler, const LlamaConfig& llama) {
  scheduler.vocab_size = llama.vocab_size;
  return scheduler;
}

inline Engine::Engine(const LlamaModel& model, const EngineConfig& config)
    : model_(model),
      block_size_(config.block_size),
      kv_cache_manager_(config.num_gpu_blocks,
                        config.block_size,
                        config.scheduler.max_model_len,
                        config.enable_prefix_caching,
                        config.rules),
      scheduler_(kv_cache_manager_, with_vocabulary(config.scheduler, model.config())),
      speculative_(config.speculative),
      step_logits_(model) {
  const LlamaConfig& llama = model.config();
  KV_REQUIRE("a model has all positions up to max_model_len",
             config.scheduler.max_model_len <= llama.max_position_embeddings);
  if (config.speculative.num_speculative_tokens > 0) require_lookup(config.speculative);

  key_caches_.assign(llama.num_hidden_layers, std::vector<float>(layout().size()));
  value_caches_ = key_caches_;
}

inline void Engine::propose_drafts() {
  if (speculative_.num_speculative_tokens == 0) return;

  for (const ServedRequest* request : scheduler_.running()) {
    if (request->num_computed_tokens + 1 != request->token_ids.size()) continue;
    scheduler_.update_draft_token_ids(
        request->request_id,
        drafts_before_the_end(propose(request->token_ids, speculative_), *request));
  }
}

inline PagedLayout Engine::layout() {
  const LlamaConfig& llama = model_.config();
  return {kv_cache_manager_.block_pool().blocks().size(), block_size_, llama.num_key_value_heads,
          llama.head_dim};
}

inline std::vector<KVCache<float>> Engine::kv_caches() {
  std::vector<KVCache<float>> kv_caches;
  auto value_cache = value_caches_.begin();
  for (std::vector<float>& key_cache : key_caches_)
    kv_caches.push_back({layout(), key_cache, *value_cache++});
  return kv_caches;
}

inline std::vector<float> Engine::execute_model(const SchedulerOutput& output,
                                                const ModelInput& input) {
  for (const std::string& request_id : output.finished_req_ids) sampled_.erase(request_id);

  const std::vector<KVCache<float>> kv_caches = this->kv_caches();
  if (!output.blocks_to_copy.empty()) copy_blocks(kv_caches, output.blocks_to_copy);

  num_copied_blocks_ += output.blocks_to_copy.size();
  num_computed_tokens_ += input.input_ids.size();
  const float scale = 1.0f / std::sqrt(static_cast<float>(model_.config().head_dim));
  const Attend attend = [&](std::size_t layer, std::span<float> out, std::span<const float> query,
                            std::span<const float> key, std::span<const float> value) {
    attention_forward(out, query, key, value, kv_caches[layer], input, scale);
  };
  std::vector<float> hidden_states = model_.forward(input.input_ids, input.positions, attend);
  keep_prompt_logprobs(output, input, hidden_states);
  compute_logits(output, input, hidden_states);
  return hidden_states;
}

// Rows that only a wrong input names are left to step, whose tests say what is wrong.
//                                              vLLM: logits_indices in GPUModelRunner
inline void Engine::compute_logits(const SchedulerOutput& output,
                                   const ModelInput& input,
                                   std::span<const float> hidden_states) {
  const std::size_t hidden_size = model_.config().hidden_size;
  const std::size_t num_reqs = std::min(input.num_reqs(), output.scheduled.size());
  std::vector<float> sampled_from;
  for (std::size_t req = 0; req < num_reqs && req + 1 < input.query_start_loc.size(); ++req) {
    const ScheduledRequest& scheduled = output.scheduled[req];
    const std::size_t num_rows = 1 + scheduled.spec_token_ids.size();
    const std::size_t end = input.query_start_loc[req + 1];
    if (input.seq_lens[req] < scheduler_.request(scheduled.request_id).token_ids.size()) continue;
    if (end < num_rows || end * hidden_size > hidden_states.size()) continue;
    const auto rows = hidden_states.subspan((end - num_rows) * hidden_size, num_rows * hidden_size);
    sampled_from.insert(sampled_from.end(), rows.begin(), rows.end());
  }
  step_logits_.compute(std::move(sampled_from));
}

// Why by index: a prompt is computed in several steps, and again after a preemption.
inline void Engine::keep_prompt_logprobs(const SchedulerOutput& output,
                                         const ModelInput& input,
                                         std::span<const float> hidden_states) {
  for (const std::string& ended : output.finished_req_ids) prompt_logprobs_.erase(ended);

  const std::size_t hidden_size = model_.config().hidden_size;
  for (std::size_t req = 0; req < input.num_reqs(); ++req) {
    const ServedRequest& request = scheduler_.request(output.scheduled[req].request_id);
    if (!request.sampling_params.prompt_logprobs || request.num_output_tokens() > 0) continue;
    for (std::size_t row = input.query_start_loc[req]; row < input.query_start_loc[req + 1];
         ++row) {
      const std::size_t next = input.positions[row] + 1;
      if (next >= request.num_prompt_tokens) break;
      const auto logits =
          model_.compute_logits(hidden_states.subspan(row * hidden_size, hidden_size));
      prompt_logprobs_[request.request_id].insert_or_assign(
          next, sampled_token(logits, request.token_ids[next], request));
    }
  }
}

inline std::vector<SampledToken> Engine::take_prompt_logprobs(const std::string& request_id) {
  std::vector<SampledToken> listed;
  const auto kept = prompt_logprobs_.extract(request_id);
  if (kept.empty()) return listed;
  for (const auto& [index, token] : kept.mapped()) listed.push_back(token);
  return listed;
}

inline std::vector<TokenId> Engine::sample(const ScheduledRequest& scheduled,
                                           std::span<const float> hidden_states) {
  const ServedRequest& request = scheduler_.request(scheduled.request_id);
  const std::size_t hidden_size = model_.config().hidden_size;
  const auto states = hidden_states.last((1 + scheduled.spec_token_ids.size()) * hidden_size);
  const auto sample_after = [&](std::size_t row) {
    const auto logits = step_logits_.of(states.subspan(row * hidden_size, hidden_size));
    const std::size_t position = request.token_ids.size() + row;
    logits_hash_ += hash_of_logits(logits, request, position);
    const TokenId token = sample_token(logits, request, position);
    if (request.sampling_params.num_logprobs)
      sampled_[request.request_id].push_back(sampled_token(logits, token, request));
    return token;
  };
  if (scheduled.spec_token_ids.empty()) return {sample_after(0)};
  return accept_drafts(scheduled.spec_token_ids, sample_after);
}

}  // namespace kv
