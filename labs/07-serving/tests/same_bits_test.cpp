// Step 7.11: the same text, to the bit of each logit, whatever the engine does with blocks and
// steps.

#include <algorithm>

#include "07-serving/tests/large_engine.h"
#include "07-serving/tests/served_texts.h"
#include "grader/harness/endless.h"
#include "grader/harness/note_options.h"

namespace kv::grader {
namespace {

constexpr const char* kSameBits = "7.11 step";
constexpr const char* kDependsOn = "depend on the request and the model alone";

// All steps and both kinds of caching, with blocks of this size and a pool of this many slots.
// Gives how often requests were preempted.
std::size_t expect_same_bits_with(const LlamaModel& model,
                                  const Served& expected,
                                  std::size_t block_size,
                                  std::size_t num_slots) {
  std::size_t num_preemptions = 0;
  for (const std::size_t num_tokens : {512u, 13u, 1u}) {
    for (const std::size_t num_seqs : {8u, 1u}) {
      for (const bool is_caching : {true, false}) {
        if (testing::Test::HasFailure()) return num_preemptions;
        const Settings settings = {block_size, num_tokens, num_seqs, is_caching, num_slots};
        clear_log();
        const Served yours = served(model, settings, eight_requests());
        num_preemptions += yours.num_preemptions;
        expect_same_bits(expected, yours, settings);
      }
    }
  }
  return num_preemptions;
}

TEST(EngineStep, TheSameBitsForAllSettings) {
  SPEC("text and logits do not depend on blocks, steps, sharing, or preemptions", kSameBits,
       kDependsOn, "not on blocks, steps, drafts, other requests or preemptions");
  allow_steps(600'000'000);
  const TinyLlama llama(2);
  const Served expected = served(llama.model(), {}, eight_requests());
  std::size_t num_preemptions = 0;
  for (const std::size_t block_size : {16u, 7u, 1u, 64u}) {
    for (const std::size_t num_slots : {1024u, 130u, 64u})
      num_preemptions += expect_same_bits_with(llama.model(), expected, block_size, num_slots);
  }
  EXPECT_HOLDS(HasFailure() || num_preemptions > 100)
      << "requests lose their blocks, " << num_preemptions;
}

// Blocks, steps and requests at random. A pool has at least max_model_len slots.
Settings random_settings(Random& random) {
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

Asked random_asked(Random& random) {
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

void expect_alone_or_among_others() {
  const TinyLlama llama(3);
  const Settings settings = {.block_size = 4, .num_slots = 96};
  const Served together = served(llama.model(), settings, eight_requests());
  Served alone;
  for (const auto& [name, asked] : eight_requests()) {
    clear_log();
    const Served one = served(llama.model(), {}, {{name, asked}});
    alone.texts[name] = one.texts.at(name);
    alone.logits_hash += one.logits_hash;
  }
  expect_same_bits(alone, together, settings);
}

TEST(EngineStep, AloneOrAmongOthersAtRandom) {
  SPEC("with any settings, each text and the bits of its logits are those of the request alone",
       kSameBits, kDependsOn, "not on blocks, steps, drafts, other requests or preemptions");
  allow_steps(400'000'000);
  const TinyLlama llama(7);
  for (std::uint64_t i = 0; i < 30 && !HasFailure(); ++i) {
    Random random(history_seed() + i);
    const Settings settings = random_settings(random);
    std::map<std::string, Asked> requests;
    Served alone;
    for (std::size_t req = 0; req < 2 + random.below(5); ++req) {
      const std::string name(1, static_cast<char>('A' + req));
      requests[name] = random_asked(random);
      clear_log();
      const Served one = served(llama.model(), {}, {{name, requests[name]}});
      alone.texts[name] = one.texts.at(name);
      alone.logits_hash += one.logits_hash;
    }
    clear_log();
    expect_same_bits(alone, served(llama.model(), settings, requests), settings);
  }
  if (!HasFailure()) expect_alone_or_among_others();
  if (!HasFailure()) expect_many_requests_in_a_step();
}

}  // namespace
}  // namespace kv::grader
