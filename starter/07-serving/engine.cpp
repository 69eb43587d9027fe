#include "07-serving/engine.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>

#include "07-serving/given/sampler.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {
namespace {

// Depends on the logits, and on the request and the position of their token.
std::uint64_t hash_of_logits(std::span<const float> logits, const ServedRequest& request) {
  const std::string& id = request.request_id;
  const std::uint64_t of_token =
      XXH3_64bits_withSeed(id.data(), id.size(), request.token_ids.size());
  return XXH3_64bits_withSeed(logits.data(), logits.size_bytes(), of_token);
}

}  // namespace

std::vector<EngineCoreOutput> Engine::step() {
  KV_TODO("7.11 step");
}

// Given, from here on.
Engine::Engine(const LlamaModel& model, const EngineConfig& config)
    : model_(model),
      block_size_(config.block_size),
      kv_cache_manager_(config.num_gpu_blocks,
                        config.block_size,
                        config.scheduler.max_model_len,
                        config.enable_prefix_caching),
      scheduler_(kv_cache_manager_, config.scheduler) {
  const LlamaConfig& llama = model.config();
  KV_REQUIRE("a model has all positions up to max_model_len",
             config.scheduler.max_model_len <= llama.max_position_embeddings);

  const PagedLayout layout = {config.num_gpu_blocks, config.block_size, llama.num_key_value_heads,
                              llama.head_dim};
  key_caches_.assign(llama.num_hidden_layers, std::vector<float>(layout.size()));
  value_caches_ = key_caches_;
}

std::vector<float> Engine::execute_model(const ModelInput& input) {
  num_computed_tokens_ += input.input_ids.size();
  const LlamaConfig& llama = model_.config();
  const PagedLayout layout = {kv_cache_manager_.block_pool().blocks().size(), block_size_,
                              llama.num_key_value_heads, llama.head_dim};
  const float scale = 1.0f / std::sqrt(static_cast<float>(llama.head_dim));
  const Attend attend = [&](std::size_t layer, std::span<float> out, std::span<const float> query,
                            std::span<const float> key, std::span<const float> value) {
    const KVCache<float> cache = {layout, key_caches_[layer], value_caches_[layer]};
    attention_forward(out, query, key, value, cache, input, scale);
  };
  return model_.forward(input.input_ids, input.positions, attend);
}

TokenId Engine::sample(const ServedRequest& request, std::span<const float> hidden_state) {
  const std::vector<float> logits = model_.compute_logits(hidden_state);
  logits_hash_ += hash_of_logits(logits, request);
  return sample_token(logits, request);
}

}  // namespace kv
