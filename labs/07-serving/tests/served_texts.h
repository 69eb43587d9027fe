#pragma once
// The texts that an engine writes for some requests, with settings of blocks and steps.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "07-serving/engine.h"
#include "07-serving/tests/scheduler_state.h"
#include "07-serving/tests/tiny_llama.h"
#include "grader/harness/expectations.h"
#include "grader/harness/test_log.h"

namespace kv::grader {

using Text = std::vector<TokenId>;

struct Settings {
  std::size_t block_size = 16;
  std::size_t max_num_batched_tokens = 512;
  std::size_t max_num_seqs = 8;
  bool enable_caching = true;
  std::size_t num_slots = 1024;  // rounded up to blocks
  std::size_t threshold = 0;
  bool enable_chunked_prefill = true;
  bool must_fit = false;
  SpeculativeConfig speculative = {};

  static constexpr std::size_t kMaxModelLen = 64;

  EngineConfig config() const {
    return {.num_gpu_blocks = (num_slots + block_size - 1) / block_size + 1,
            .block_size = block_size,
            .enable_prefix_caching = enable_caching,
            .scheduler = {.max_num_batched_tokens = max_num_batched_tokens,
                          .max_num_seqs = max_num_seqs,
                          .max_model_len = kMaxModelLen,
                          .long_prefill_token_threshold = threshold,
                          .enable_chunked_prefill = enable_chunked_prefill,
                          .scheduler_reserve_full_isl = must_fit},
            .speculative = speculative};
  }
};

inline std::string draw(const Settings& settings) {
  const std::size_t num_drafts = settings.speculative.num_speculative_tokens;
  return "blocks of " + std::to_string(settings.block_size) + ", " +
         std::to_string(settings.num_slots) + " slots, steps of " +
         std::to_string(settings.max_num_batched_tokens) + " tokens and " +
         std::to_string(settings.max_num_seqs) + " requests, caching " +
         (settings.enable_caching ? "on" : "off") +
         (num_drafts == 0 ? "" : ", " + std::to_string(num_drafts) + " drafts");
}

struct Asked {
  Text prompt;
  SamplingParams params = {.max_tokens = 16};
};

struct Served {
  std::map<std::string, Text> texts = {};
  std::map<std::string, FinishReason> reasons = {};
  std::uint64_t logits_hash = 0;
  std::size_t num_steps = 0;
  std::size_t num_preemptions = 0;
};

class ServingEngine {
 public:
  ServingEngine(const LlamaModel& model, const Settings& settings)
      : engine_(model, settings.config()) {
    log_start("", {"engine(settings)", "an engine with {0}"}, draw(settings));
  }

  Engine& raw() { return engine_; }
  const Served& served() const { return served_; }

  void add(const std::string& name, const Asked& asked) {
    log_step({"add_request(request_id, token_ids)", "add_request({0}, tokens {1})"}, name,
             asked.prompt);
    ServedRequest request{
        {.request_id = name, .block_size = engine_.block_size(), .token_ids = asked.prompt}};
    request.sampling_params = asked.params;
    engine_.scheduler().add_request(request);
  }

  std::vector<EngineCoreOutput> step() {
    log_step({"step()", "step()"});
    const std::vector<EngineCoreOutput> outputs = engine_.step();
    log_result(draw_outputs(outputs));
    for (const auto& [name, new_token_ids, reason] : outputs) {
      Text& text = served_.texts[name];
      text.insert(text.end(), new_token_ids.begin(), new_token_ids.end());
      if (reason) served_.reasons[name] = *reason;
    }
    for (const ServedRequest* request : engine_.scheduler().waiting())
      served_.num_preemptions += request->status == RequestStatus::kPreempted ? 1u : 0u;
    served_.logits_hash = engine_.logits_hash();
    if (++served_.num_steps > 10'000) fail_now("10,000 steps, and requests are still there");
    return outputs;
  }

  const Served& finish() {
    while (engine_.has_requests()) step();
    expect_all_free();
    return served_;
  }

 private:
  void expect_all_free() {
    BlockPool& pool = engine_.kv_cache_manager().block_pool();
    EXPECT_SAME(pool.get_num_free_blocks(), pool.blocks().size() - 1)
        << "at the end, all blocks but the null block are free";
    for (const KVCacheBlock& block : pool.blocks()) {
      if (block.is_null) continue;
      EXPECT_SAME(block.ref_cnt, 0) << "users of block " << block.block_id;
    }
  }

  Engine engine_;
  Served served_;
};

inline Served served(const LlamaModel& model,
                     const Settings& settings,
                     const std::map<std::string, Asked>& requests) {
  ServingEngine engine(model, settings);
  for (const auto& [name, asked] : requests) engine.add(name, asked);
  return engine.finish();
}

// The first text that is another one; of the same texts, the bits.
inline void expect_same_bits(const Served& expected,
                             const Served& yours,
                             const Settings& settings) {
  for (const auto& [name, text] : expected.texts) {
    const auto found = yours.texts.find(name);
    const Text other = found == yours.texts.end() ? Text() : found->second;
    if (other == text) continue;
    const auto first = std::ranges::mismatch(text, other).in1 - text.begin();
    ADD_FAILURE() << "the text of " << name << " is another one from its token " << first
                  << " on, with " << draw(settings);
    return;
  }
  EXPECT_HOLDS(yours.logits_hash == expected.logits_hash)
      << "the logits have other bits: is each sum made position by position?\n"
      << "with " << draw(settings);
}

// Eight requests, A to H, of 9 to 37 tokens. Some prompts begin alike, two are the same, and every
// second one draws its tokens.
inline std::map<std::string, Asked> eight_requests() {
  constexpr int kLengths[] = {9, 9, 17, 21, 25, 29, 33, 37};
  std::map<std::string, Asked> requests;
  for (int i = 0; i < 8; ++i) {
    Asked asked;
    for (int j = 0; j < kLengths[i]; ++j)
      asked.prompt.push_back((i % 2 == 0 || i == 1 ? 7 * j + 3 : 11 * j * j + i) % 50);
    if (i % 2 == 0) {
      asked.params.temperature = 0.9;
      asked.params.top_p = 0.95;
      asked.params.seed = 5;
    }
    requests[std::string(1, static_cast<char>('A' + i))] = asked;
  }
  return requests;
}

}  // namespace kv::grader
