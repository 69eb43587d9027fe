#pragma once
// Engines of more requests, longer prompts and wider models than 16 bits count.

#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "07-serving/engine.h"
#include "07-serving/tests/served_texts.h"
#include "grader/harness/endless.h"

namespace kv::grader {

// One layer, of one head.
inline LlamaConfig smallest_config() {
  return {.vocab_size = 5,
          .hidden_size = 4,
          .intermediate_size = 3,
          .num_hidden_layers = 1,
          .num_attention_heads = 1,
          .num_key_value_heads = 1,
          .head_dim = 2,
          .max_position_embeddings = 70'000,
          .rms_norm_eps = 1e-5,
          .rope_theta = 10000,
          .tie_word_embeddings = false,
          .eos_token_id = {}};
}

// All logits are 0: without temperature, it always says token 0. Keys and values are 0, too.
inline LlamaModel model_of_zeros() {
  std::map<std::string, Tensor> tensors;
  for (const auto& [name, shape] : llama_tensors(smallest_config())) {
    const auto size =
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies());
    tensors[name + ".weight"] = tensor_of(shape, std::vector<float>(size));
  }
  return {smallest_config(), tensors};
}

// The engine of a model of zeros with A, a text of 65,541 tokens that lacks only the last one. The
// caches begin with zeros, as the model would compute them, so a step that is only scheduled is
// enough.
inline void add_long_text(Engine& engine, const SamplingParams& params) {
  allow_steps(90'000'000);
  ServedRequest request{
      {.request_id = "A", .block_size = engine.block_size(), .token_ids = Text(65'540)}};
  request.sampling_params = params;
  engine.scheduler().add_request(request);
  const SchedulerOutput prompt = engine.scheduler().schedule();
  engine.scheduler().update_from_output(prompt, std::vector<Text>{{0}});
}

inline EngineConfig config_of_a_long_text(const SpeculativeConfig& speculative = {}) {
  return {.num_gpu_blocks = 2,
          .block_size = 70'000,
          .scheduler = {70'000, 1, 70'000},
          .speculative = speculative};
}

// The next token after each prompt of one token: 0 to 4.
inline std::vector<Text> texts_of_one_token(const LlamaModel& model) {
  std::vector<Text> texts;
  for (TokenId token = 0; token < 5; ++token)
    texts.push_back(served(model, {}, {{"A", {{token}, {.max_tokens = 1}}}}).texts.at("A"));
  return texts;
}

inline void expect_many_requests_in_a_step() {
  constexpr std::size_t kNum = 65'540;
  allow_steps(400'000'000);
  const TinyLlama llama(8, smallest_config());
  const std::vector<Text> expected = texts_of_one_token(llama.model());
  clear_log();
  log_step("step() with 65,540 requests of one token");
  Engine engine(llama.model(), {.num_gpu_blocks = kNum + 1,
                                .block_size = 1,
                                .enable_prefix_caching = false,
                                .scheduler = {kNum, kNum, kNum}});
  for (std::size_t i = 0; i < kNum; ++i) {
    ServedRequest request{{.request_id = std::to_string(i),
                           .block_size = 1,
                           .token_ids = {static_cast<TokenId>(i % 5)}}};
    engine.scheduler().add_request(request);
  }
  const std::vector<EngineCoreOutput> outputs = engine.step();
  ASSERT_SAME(outputs.size(), kNum) << "requests that got a token";
  for (std::size_t i = 0; i < kNum; ++i)
    ASSERT_SAME(outputs[i].new_token_ids, expected[i % 5]) << "the token of request " << i;
}

// The first part of a long prompt gives no token.
inline void expect_part_of_a_long_prompt() {
  const TinyLlama llama(8, smallest_config());
  Engine engine(llama.model(),
                {.num_gpu_blocks = 70, .block_size = 1'000, .scheduler = {10, 1, 66'000}});
  log_step("step() of 10 tokens, of a prompt of 65,541");
  engine.scheduler().add_request(
      {{.request_id = "A", .block_size = 1'000, .token_ids = Text(65'541, 1)}});
  EXPECT_SAME(engine.step().size(), 0u) << "requests that got a token";
}

}  // namespace kv::grader
