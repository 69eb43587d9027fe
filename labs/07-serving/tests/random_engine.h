#pragma once
// Settings of an engine, and requests to it, at random.

#include "07-serving/tests/served_texts.h"
#include "grader/harness/note_options.h"
#include "grader/harness/random.h"

namespace kv::grader {

// A pool has at least max_model_len slots.
inline Settings random_settings(Random& random) {
  Settings settings = {.block_size = 1 + random.below(20),
                       .max_num_batched_tokens = 1 + random.below(40),
                       .max_num_seqs = 1 + random.below(6),
                       .enable_caching = random.below(4) > 0,
                       .num_slots = Settings::kMaxModelLen + random.below(100),
                       .threshold = random.below(2) * random.below(9),
                       .enable_chunked_prefill = random.below(4) > 0,
                       .must_fit = random.below(3) == 0};
  if (!settings.enable_chunked_prefill) settings.max_num_batched_tokens += Settings::kMaxModelLen;
  const EngineConfig config = settings.config();
  note_options({{"num_gpu_blocks", config.num_gpu_blocks},
                {"block_size", config.block_size},
                {"enable_prefix_caching", config.enable_prefix_caching ? 1u : 0u}});
  return settings;
}

inline Asked random_asked(Random& random) {
  Asked asked{Text(1 + random.below(30))};
  const std::size_t step = random.below(3);
  for (std::size_t i = 0; i < asked.prompt.size(); ++i)
    asked.prompt[i] = static_cast<TokenId>(i * step % 50);
  asked.prompt.back() = static_cast<TokenId>(random.below(50));
  const std::size_t temperature = random.below(3), top_p = 1 + random.below(4);
  asked.params = {.max_tokens = 1 + random.below(20),
                  .eos_token_id = static_cast<TokenId>(random.below(50)),
                  .temperature = static_cast<double>(temperature) / 2,
                  .top_p = static_cast<double>(top_p) / 4,
                  .seed = random.below(100)};
  note_options({{"temperature", temperature}, {"top_p", top_p}, {"seed", asked.params.seed}});
  return asked;
}

// Drafts change the steps, and nothing else.
inline void add_random_drafts(Random& random, Settings& settings) {
  SpeculativeConfig& drafts = settings.speculative;
  drafts.num_speculative_tokens = 1 + random.below(5);
  drafts.prompt_lookup_min = 1 + random.below(3);
  drafts.prompt_lookup_max = drafts.prompt_lookup_min + random.below(4);
  note_options({{"num_speculative_tokens", drafts.num_speculative_tokens},
                {"prompt_lookup_min", drafts.prompt_lookup_min},
                {"prompt_lookup_max", drafts.prompt_lookup_max}});
}

}  // namespace kv::grader
