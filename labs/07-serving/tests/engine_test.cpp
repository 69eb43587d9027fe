// The same text, to the bit of each logit, whatever the engine does with blocks and steps.

#include "07-serving/engine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "07-serving/tests/tiny_llama.h"
#include "grader/harness/expectations.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

constexpr const char* kEngineStep = "7.11 step";

using Text = std::vector<TokenId>;

struct Settings {
  std::size_t block_size = 16;
  std::size_t max_num_batched_tokens = 512;
  std::size_t max_num_seqs = 8;
  bool enable_caching = true;
  std::size_t num_slots = 1024;  // rounded up to blocks
  std::size_t threshold = 0;

  EngineConfig config() const {
    const std::size_t num_blocks = (num_slots + block_size - 1) / block_size + 1;
    return {.num_gpu_blocks = num_blocks,
            .block_size = block_size,
            .enable_prefix_caching = enable_caching,
            .scheduler = {.max_num_batched_tokens = max_num_batched_tokens,
                          .max_num_seqs = max_num_seqs,
                          .max_model_len = 64,
                          .long_prefill_token_threshold = threshold}};
  }
};

// Eight prompts of 9 to 37 tokens. Some begin alike, and two are the same.
std::vector<Text> eight_prompts() {
  std::vector<Text> prompts;
  for (int i = 0; i < 8; ++i) {
    Text& prompt = prompts.emplace_back();
    for (int j = 0; j < 9 + 4 * i; ++j)
      prompt.push_back((i % 2 == 0 ? 7 * j + 3 : 11 * j * j + i) % 50);
  }
  prompts.push_back(prompts.front());
  prompts.erase(prompts.begin() + 1);
  return prompts;
}

struct Served {
  std::map<std::string, Text> texts;
  std::uint64_t logits_hash = 0;
  std::size_t num_steps = 0;
  std::size_t num_preemptions = 0;
  std::size_t num_hit_tokens = 0;
};

ServedRequest request_for(const std::string& name, const Text& prompt, std::size_t block_size) {
  ServedRequest request{{.request_id = name, .block_size = block_size, .token_ids = prompt}};
  request.sampling_params = {.max_tokens = 16};
  if (name.back() % 2 == 1) {
    request.sampling_params.temperature = 0.9;
    request.sampling_params.top_p = 0.95;
    request.sampling_params.seed = 5;
  }
  return request;
}

void expect_all_free(Engine& engine) {
  BlockPool& pool = engine.kv_cache_manager().block_pool();
  EXPECT_SAME(pool.get_num_free_blocks(), pool.blocks().size() - 1)
      << "at the end, all blocks but the null block are free";
  for (const KVCacheBlock& block : pool.blocks()) {
    if (block.is_null) continue;
    EXPECT_SAME(block.ref_cnt, 0) << "users of block " << block.block_id;
  }
}

Served served(const LlamaModel& model,
              const Settings& settings,
              const std::map<std::string, Text>& prompts) {
  Engine engine(model, settings.config());
  for (const auto& [name, prompt] : prompts)
    engine.scheduler().add_request(request_for(name, prompt, settings.block_size));

  Served result;
  while (engine.has_requests()) {
    for (const EngineCoreOutput& output : engine.step()) {
      Text& text = result.texts[output.request_id];
      text.insert(text.end(), output.new_token_ids.begin(), output.new_token_ids.end());
    }
    for (const ServedRequest* request : engine.scheduler().waiting())
      result.num_preemptions += request->status == RequestStatus::kPreempted ? 1u : 0u;
    if (++result.num_steps > 10'000) fail_now("10,000 steps, and requests are still there");
  }
  result.logits_hash = engine.logits_hash();
  expect_all_free(engine);
  return result;
}

std::map<std::string, Text> named(const std::vector<Text>& prompts) {
  std::map<std::string, Text> result;
  for (std::size_t i = 0; i < prompts.size(); ++i)
    result[std::string(1, static_cast<char>('A' + i))] = prompts[i];
  return result;
}

TEST(EngineStep, SamplesTheMostLikelyToken) {
  SPEC("without temperature, each token is the most likely one after those before it", kEngineStep);
  const TinyLlama llama(1);
  const oracle::LlamaOracle oracle = llama.as_oracle();
  const std::map<std::string, Text> prompts = {{"B", eight_prompts()[4]}};
  Text text = prompts.at("B");
  const Served result = served(llama.model(), {.block_size = 4}, prompts);
  for (const TokenId token : result.texts.at("B")) {
    const std::vector<double> logits = oracle.logits(text);
    const double largest = *std::ranges::max_element(logits);
    // Two logits can be so near that float sees the other one as the larger. A logit is a sum of 24
    // terms of up to some units, after two layers.
    EXPECT_HOLDS(!(largest - logits[static_cast<std::size_t>(token)] > 1e-4))
        << "token " << token << " has a logit of " << logits[static_cast<std::size_t>(token)]
        << ", and the largest is " << largest;
    text.push_back(token);
  }
  EXPECT_SAME(text.size(), prompts.at("B").size() + 16) << "the prompt and max_tokens";
}

TEST(EngineStep, TheSameBitsForAllSettings) {
  SPEC("text and logits do not depend on blocks, steps, sharing, or preemptions", kEngineStep);
  const TinyLlama llama(2);
  const auto prompts = named(eight_prompts());
  const Served expected = served(llama.model(), {}, prompts);
  std::size_t num_preemptions = 0;
  for (const std::size_t block_size : {1u, 7u, 16u, 64u}) {
    for (const std::size_t num_tokens : {1u, 13u, 512u}) {
      for (const std::size_t num_seqs : {1u, 8u}) {
        for (const std::size_t num_slots : {64u, 130u, 1024u}) {
          for (const bool is_caching : {true, false}) {
            const Served yours =
                served(llama.model(), {block_size, num_tokens, num_seqs, is_caching, num_slots, 0},
                       prompts);
            num_preemptions += yours.num_preemptions;
            EXPECT_HOLDS(yours.texts == expected.texts && yours.logits_hash == expected.logits_hash)
                << "blocks of " << block_size << ", steps of " << num_tokens << " tokens, "
                << num_seqs << " requests, " << num_slots << " slots";
            if (HasFailure()) return;
          }
        }
      }
    }
  }
  EXPECT_HOLDS(num_preemptions > 100) << "requests lose their blocks, " << num_preemptions;
}

TEST(EngineStep, AloneOrAmongOthers) {
  SPEC("the text of a request does not depend on the others", kEngineStep);
  const TinyLlama llama(3);
  const auto prompts = named(eight_prompts());
  const Served together = served(llama.model(), {.block_size = 4, .num_slots = 96}, prompts);
  for (const auto& [name, prompt] : prompts) {
    const Served alone = served(llama.model(), {.block_size = 16}, {{name, prompt}});
    EXPECT_SAME(together.texts.at(name), alone.texts.at(name)) << "the text of " << name;
  }
}

}  // namespace
}  // namespace kv::grader
