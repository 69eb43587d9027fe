// Step 7.11: the same text, to the bit of each logit, whatever the engine does with blocks and
// steps.

#include "07-serving/tests/large_engine.h"
#include "07-serving/tests/random_engine.h"
#include "grader/harness/endless.h"

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
  allow_steps(900'000'000);
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
