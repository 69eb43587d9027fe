// Step 7.16: the steps of an engine with drafts, and the texts that it writes.

#include "07-serving/tests/large_engine.h"
#include "07-serving/tests/random_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kWithDrafts = "7.16 take_back_rejected";

// Even a configuration with which there is nothing to look up.
void expect_no_drafts(const LlamaModel& model) {
  const Settings settings{.speculative = {0, 0, 0}};
  const Served yours = served(model, settings, {{"A", {Text(4), {.max_tokens = 3}}}});
  EXPECT_SAME(yours.num_steps, 3u) << "steps without drafts";
  for (const SpeculativeConfig& speculative : {SpeculativeConfig{1, 0, 4}, {1, 5, 4}})
    EXPECT_REFUSED(Engine(model, Settings{.speculative = speculative}.config()))
        << "with drafts, at least one token has to repeat";
}

// There are more drafts, and more tokens before them, than 16 bits count.
void expect_drafts_of_a_long_text(const LlamaModel& model) {
  log_step("a step after a text of 65,541 tokens, with at most 65,536 drafts");
  Engine engine(model, config_of_a_long_text({.num_speculative_tokens = 65'536}));
  add_long_text(engine, {.max_tokens = 10});
  EXPECT_SAME(engine.step().size(), 1u) << "requests that got tokens";
  EXPECT_SAME(engine.num_computed_tokens(), 9u) << "a known token, and 8 drafts until max_tokens";
}

TEST(Drafts, OfEachThatLacksOneToken) {
  SPEC("each request that lacks only its last known token computes drafts, and no other one does",
       kWithDrafts, "7.8 one more for each draft", "7.11 lets the model compute what is scheduled");
  const LlamaModel model = model_of_zeros();
  Settings settings{.max_num_batched_tokens = 40, .enable_caching = false, .threshold = 8};
  settings.speculative.num_speculative_tokens = 3;
  ServingEngine engine(model, settings);
  engine.add("A", {Text(4), {.max_tokens = 9}});
  engine.add("B", {Text(10), {.max_tokens = 9}});
  engine.add("C", {Text(4), {.max_tokens = 9}});
  std::vector<std::size_t> num_computed_tokens;
  while (engine.raw().has_requests()) {
    engine.step();
    num_computed_tokens.push_back(engine.raw().num_computed_tokens());
  }
  EXPECT_SAME(num_computed_tokens, std::vector<std::size_t>({16, 22, 34, 42}))
      << "computed tokens after each step; B lacks two tokens after the first one";
  if (!HasFailure()) expect_no_drafts(model);
  if (!HasFailure()) expect_drafts_of_a_long_text(model);
}

// A prompt that repeats itself, and a model that soon does.
std::map<std::string, Asked> repeating_requests() {
  std::map<std::string, Asked> requests = eight_requests();
  for (int i = 0; i < 3; ++i) {
    Asked asked{.prompt = {}, .params = {.max_tokens = 30}};
    for (int j = 0; j < 20; ++j) asked.prompt.push_back((j * (i + 1)) % 5);
    requests["repeats " + std::to_string(i)] = asked;
  }
  return requests;
}

// Each text that repeats ends with a token that came before.
std::map<std::string, Asked> ending_requests(const LlamaModel& model) {
  std::map<std::string, Asked> requests = repeating_requests();
  const Served without_ends = served(model, {}, requests);
  for (auto& [name, asked] : requests) {
    const Text& text = without_ends.texts.at(name);
    asked.params.eos_token_id = text[text.size() / 2];
  }
  return requests;
}

void expect_same_bits_with_drafts(const LlamaModel& model,
                                  const std::map<std::string, Asked>& requests) {
  const Served expected = served(model, {}, requests);
  for (const std::size_t block_size : {16u, 1u, 7u}) {
    for (const std::size_t num_drafts : {1u, 4u}) {
      for (const std::size_t num_tokens : {512u, 13u}) {
        if (testing::Test::HasFailure()) return;
        Settings settings{block_size, num_tokens};
        settings.speculative.num_speculative_tokens = num_drafts;
        settings.num_slots = num_tokens == 13 ? 100 : 1024;
        clear_log();
        const Served yours = served(model, settings, requests);
        expect_same_bits(expected, yours, settings);
        if (num_tokens < 512) continue;
        EXPECT_HOLDS(yours.num_steps < expected.num_steps)
            << "steps with drafts: " << yours.num_steps << ", without: " << expected.num_steps;
      }
    }
  }
}

TEST(Drafts, TheSameBitsInFewerSteps) {
  SPEC("drafts change no text and no bit of the logits, and texts that repeat need fewer steps",
       kWithDrafts, "7.11 not on blocks, steps, drafts, other requests or preemptions");
  allow_steps(800'000'000);
  const TinyLlama llama(2);
  expect_same_bits_with_drafts(llama.model(), repeating_requests());
  if (!HasFailure()) expect_same_bits_with_drafts(llama.model(), ending_requests(llama.model()));
}

TEST(Drafts, TheSameBitsAtRandom) {
  SPEC("with any settings and any drafts, each text and the bits of its logits are the same",
       kWithDrafts, "7.11 not on blocks, steps, drafts, other requests or preemptions");
  allow_steps(400'000'000);
  const TinyLlama llama(7);
  for (std::uint64_t i = 0; i < 30 && !HasFailure(); ++i) {
    Random random(history_seed() + i);
    Settings settings = random_settings(random);
    std::map<std::string, Asked> requests;
    const std::size_t num_requests = 2 + random.below(4);
    for (std::size_t req = 0; req < num_requests; ++req)
      requests[std::string(1, static_cast<char>('A' + req))] = random_asked(random);
    clear_log();
    const Served expected = served(llama.model(), settings, requests);
    add_random_drafts(random, settings);
    clear_log();
    expect_same_bits(expected, served(llama.model(), settings, requests), settings);
  }
}

}  // namespace
}  // namespace kv::grader
