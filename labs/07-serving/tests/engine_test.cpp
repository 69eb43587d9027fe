// Step 7.11: what a step of the engine computes, samples and gives.

#include <algorithm>

#include "07-serving/given/sampler.h"
#include "07-serving/tests/served_texts.h"

namespace kv::grader {
namespace {

constexpr const char* kEngineStep = "7.11 step";

TEST(EngineStep, SamplesTheMostLikelyToken) {
  SPEC("without temperature, each token is the most likely one after those before it", kEngineStep,
       "samples the next tokens of each request of which all known tokens are computed");
  const TinyLlama llama(1);
  const oracle::LlamaOracle oracle = llama.as_oracle();
  Text text = eight_requests().at("D").prompt;
  const std::size_t num_prompt_tokens = text.size();
  const Served result = served(llama.model(), {.block_size = 4}, {{"D", {text}}});
  for (const TokenId token : result.texts.at("D")) {
    const std::vector<double> logits = oracle.logits(text);
    const double largest = *std::ranges::max_element(logits);
    // Two logits can be so near that float sees the other one as the larger. A logit is a sum of 24
    // terms of up to some units, after two layers.
    EXPECT_HOLDS(!(largest - logits[static_cast<std::size_t>(token)] > 1e-4))
        << "token " << token << " has a logit of " << logits[static_cast<std::size_t>(token)]
        << ", and the largest is " << largest;
    text.push_back(token);
  }
  EXPECT_SAME(text.size(), num_prompt_tokens + 16) << "the prompt and max_tokens";
}

TEST(EngineStep, DrawsATokenWithTemperature) {
  SPEC("with temperature, each token is drawn as the sampler draws from its logits", kEngineStep,
       "samples the next tokens of each request of which all known tokens are computed");
  const TinyLlama llama(4);
  const oracle::LlamaOracle oracle = llama.as_oracle();
  ServedRequest request{{.request_id = "C", .block_size = 4, .token_ids = {3, 1, 4, 1, 5, 9, 2}}};
  request.sampling_params = {.max_tokens = 16, .temperature = 1.5, .seed = 11};
  const Served result = served(llama.model(), {.block_size = 4, .max_num_batched_tokens = 3},
                               {{"C", {request.token_ids, request.sampling_params}}});
  Text expected;
  for (int i = 0; i < 16; ++i) {
    const std::vector<double> logits = oracle.logits(request.token_ids);
    expected.push_back(sample_token(std::vector<float>(logits.begin(), logits.end()), request,
                                    request.token_ids.size()));
    request.token_ids.push_back(expected.back());
  }
  EXPECT_SAME(result.texts.at("C"), expected) << "the text of C";
}

void expect_a_token_beside_a_part() {
  const TinyLlama llama(5);
  const Asked first = {{7, 7, 3}}, second = {{9, 2, 9, 2, 9, 2, 9, 2, 8}};
  const Served expected = served(llama.model(), {}, {{"A", first}, {"B", second}});
  ServingEngine engine(llama.model(), {.block_size = 4, .max_num_batched_tokens = 5});
  engine.add("A", first);
  engine.add("B", second);
  engine.step();
  engine.step();
  EXPECT_SAME(engine.served().texts.at("A").size(), 2u) << "the tokens of A after two steps";
  EXPECT_HOLDS(!engine.served().texts.contains("B")) << "6 of the 9 tokens of B are computed";
  const Served& yours = engine.finish();
  EXPECT_SAME(yours.texts.at("A"), expected.texts.at("A")) << "the text of A";
  EXPECT_SAME(yours.texts.at("B"), expected.texts.at("B")) << "the text of B";
}

TEST(EngineStep, APartGivesNoToken) {
  SPEC("a part of a prompt gives no token; the step with its last token does, from its last row",
       kEngineStep, "of which all known tokens are computed", "Gives what 7.8 gives",
       "lets the model compute what is scheduled");
  const TinyLlama llama(1);
  ServingEngine engine(llama.model(), {.max_num_batched_tokens = 4});
  engine.add("A", {{1, 2, 3, 4, 5, 6, 7, 8, 9}});
  EXPECT_SAME(engine.step().size(), 0u) << "outputs of the first step";
  EXPECT_SAME(engine.step().size(), 0u) << "outputs of the second step";
  EXPECT_SAME(engine.raw().logits_hash(), 0u) << "no token has been sampled";
  const std::vector<EngineCoreOutput> third = engine.step();
  ASSERT_SAME(third.size(), 1u) << "outputs of the third step";
  EXPECT_SAME(third[0].request_id, std::string("A")) << "who gets a token";
  EXPECT_SAME(third[0].new_token_ids.size(), 1u) << "its tokens";
  EXPECT_SAME(engine.raw().scheduler().request("A").token_ids.size(), 10u) << "A has its token";
  expect_a_token_beside_a_part();
}

void expect_refuses_a_model_that_is_too_short() {
  const TinyLlama llama(1);
  EngineConfig config = Settings{.num_slots = 256}.config();
  config.scheduler.max_model_len = tiny_config().max_position_embeddings;
  const Engine engine(llama.model(), config);
  ++config.scheduler.max_model_len;
  EXPECT_REFUSED(Engine(llama.model(), config)) << "129 positions of 128";
}

TEST(EngineStep, NothingToCompute) {
  SPEC("a step without requests gives nothing, before and after others", kEngineStep,
       "A step with nothing to compute is no error");
  const TinyLlama llama(1);
  ServingEngine engine(llama.model(), {});
  EXPECT_SAME(engine.step().size(), 0u) << "outputs of a step without requests";
  engine.add("A", {{1, 2}, {.max_tokens = 1}});
  EXPECT_SAME(engine.step().size(), 1u) << "outputs of the step of A";
  EXPECT_HOLDS(!engine.raw().has_requests()) << "A has ended";
  EXPECT_SAME(engine.step().size(), 0u) << "outputs of a step after the end of A";
  expect_refuses_a_model_that_is_too_short();
}

TEST(EngineStep, SaysWhyATextEnds) {
  SPEC("a text ends with a stop token or with max_tokens, and the step says which", kEngineStep,
       "updates the scheduler", "Gives what 7.8 gives");
  const TinyLlama llama(6);
  const Text prompt = {4, 8, 15, 16, 23, 42};
  const Served longest = served(llama.model(), {}, {{"A", {prompt}}});
  const Text& text = longest.texts.at("A");
  const TokenId stop = text[5];
  const auto end = std::ranges::find(text, stop) - text.begin() + 1;
  const Served stopped =
      served(llama.model(), {}, {{"A", {prompt, {.max_tokens = 16, .stop_token_ids = {stop}}}}});
  EXPECT_SAME(stopped.texts.at("A"), Text(text.begin(), text.begin() + end)) << "it ends there";
  EXPECT_HOLDS(stopped.reasons.at("A") == FinishReason::kStop) << "the reason is a stop token";
  EXPECT_HOLDS(longest.reasons.at("A") == FinishReason::kLength) << "the reason is max_tokens";
}

TEST(EngineStep, AnAbortBetweenSteps) {
  SPEC(
      "requests that are aborted between two steps are gone, and the texts of the others are the "
      "same",
      kEngineStep, "not on blocks, steps, drafts, other requests or preemptions");
  const TinyLlama llama(2);
  const Served expected = served(llama.model(), {}, eight_requests());
  ServingEngine engine(llama.model(),
                       {.block_size = 4, .max_num_batched_tokens = 40, .num_slots = 120});
  for (const auto& [name, asked] : eight_requests()) engine.add(name, asked);
  for (int i = 0; i < 8; ++i) engine.step();
  const std::vector<std::string> aborted = {"B", "D", "H"};
  engine.raw().scheduler().finish_requests(aborted);
  for (const std::string& name : aborted) {
    EXPECT_SAME(engine.raw().kv_cache_manager().get_blocks(name).num_blocks(), 0u)
        << "blocks of " << name;
  }
  const Served& yours = engine.finish();
  for (const auto& [name, text] : expected.texts) {
    if (std::ranges::count(aborted, name) > 0) continue;
    EXPECT_SAME(yours.texts.at(name), text) << "the text of " << name;
  }
}

}  // namespace
}  // namespace kv::grader
