// Step 7.11: what a step of the engine computes, samples and gives.

#include <algorithm>

#include "07-serving/given/sampler.h"
#include "07-serving/tests/large_engine.h"
#include "07-serving/tests/served_texts.h"

namespace kv::grader {
namespace {

constexpr const char* kEngineStep = "7.11 step";

// Two logits can be so near that float sees the other one as the larger: by no more than tolerance.
void expect_most_likely(const oracle::LlamaOracle& oracle,
                        Text text,
                        const Text& sampled,
                        double tolerance) {
  for (const TokenId token : sampled) {
    const std::vector<double> logits = oracle.logits(text);
    const double largest = *std::ranges::max_element(logits);
    const double yours = logits.at(static_cast<std::size_t>(token));
    EXPECT_HOLDS(largest - yours <= tolerance)
        << "token " << token << " has a logit of " << yours << ", and the largest is " << largest;
    text.push_back(token);
  }
}

// A logit is a sum of 65,800 terms. No token is 0, which is also what no logits give.
void expect_most_likely_of_a_wide_model() {
  LlamaConfig config = smallest_config();
  config.hidden_size = 65'800;
  const TinyLlama llama(10, config);
  const Served result = served(llama.model(), {}, {{"A", {{1, 2, 3}, {.max_tokens = 2}}}});
  expect_most_likely(llama.as_oracle(), {1, 2, 3}, result.texts.at("A"), 0.05);
}

// Nobody takes the tokens of the first A, which is aborted, nor those of B, which ends.
void expect_sampled_of_its_own(const LlamaModel& model) {
  const Asked asked{{1, 2, 3}, {.max_tokens = 3, .num_logprobs = 0}};
  ServingEngine engine(model, {});
  engine.add("A", asked);
  engine.add("B", asked);
  for (int i = 0; i < 2; ++i) engine.step();
  engine.raw().scheduler().finish_requests(std::vector<std::string>{"A"});
  engine.add("A", asked);
  engine.step();
  EXPECT_SAME(engine.raw().take_sampled("A").size(), 1u) << "tokens of the second A";
  engine.step();
  EXPECT_SAME(engine.raw().take_sampled("B").size(), 0u) << "tokens of B, a step after its end";
}

// After A, nothing is left to compute; its tokens are there until the next step, as always.
void expect_nothing_sampled_of_the_last() {
  const TinyLlama llama(1);
  ServingEngine engine(llama.model(), {});
  engine.add("A", {{1, 2, 3}, {.max_tokens = 1, .num_logprobs = 0}});
  engine.step();
  EXPECT_HOLDS(!engine.raw().has_requests()) << "A has ended";
  engine.step();
  EXPECT_SAME(engine.raw().take_sampled("A").size(), 0u) << "tokens of A, a step after its end";
}

// A asks how likely its tokens were; each of them is the most likely one.
void expect_likely_tokens_if_asked() {
  const TinyLlama llama(1);
  ServingEngine engine(llama.model(), {});
  engine.add("A", {{1, 2, 3}, {.max_tokens = 3, .num_logprobs = 1}});
  engine.add("B", {{1, 2, 3}, {.max_tokens = 3}});
  Text most_likely;
  const Text expected = engine.finish().texts.at("A");
  for (const SampledToken& sampled : engine.raw().take_sampled("A"))
    most_likely.push_back(sampled.top.at(0).token_id);
  EXPECT_SAME(most_likely, expected) << "the most likely tokens that take_sampled lists for A";
  EXPECT_SAME(engine.raw().take_sampled("A").size(), 0u) << "what A had is taken";
  EXPECT_SAME(engine.raw().take_sampled("B").size(), 0u) << "B does not ask";
  expect_sampled_of_its_own(llama.model());
  expect_nothing_sampled_of_the_last();
}

TEST(EngineStep, SamplesTheMostLikelyToken) {
  SPEC("without temperature, each token is the most likely one after those before it", kEngineStep,
       "samples the next tokens of each request of which all known tokens are computed");
  const TinyLlama llama(1);
  const Text prompt = eight_requests().at("D").prompt;
  const Served result = served(llama.model(), {.block_size = 4}, {{"D", {prompt}}});
  EXPECT_SAME(result.texts.at("D").size(), 16u) << "max_tokens";
  // A sum of 24 terms of up to some units, after two layers.
  expect_most_likely(llama.as_oracle(), prompt, result.texts.at("D"), 1e-4);
  expect_most_likely_of_a_wide_model();
  if (!HasFailure()) expect_likely_tokens_if_asked();
}

// At positions that 16 bits do not count.
void expect_draws_in_a_long_text() {
  log_step("nine steps after a text of 65,541 tokens");
  const LlamaModel model = model_of_zeros();
  Engine engine(model, config_of_a_long_text());
  add_long_text(engine, {.max_tokens = 10, .temperature = 1});
  ServedRequest request = engine.scheduler().request("A");
  while (engine.has_requests()) {
    const std::size_t position = request.token_ids.size();
    const TokenId expected = sample_token(std::vector<float>(5), request, position);
    const std::vector<EngineCoreOutput> outputs = engine.step();
    ASSERT_SAME(outputs.size(), 1u) << "requests that got a token";
    ASSERT_SAME(outputs[0].new_token_ids, Text({expected})) << "the token at " << position;
    request.token_ids.push_back(expected);
  }
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
  if (!HasFailure()) expect_draws_in_a_long_text();
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
  EXPECT_SAME(engine.raw().num_computed_tokens(), 8u) << "computed tokens, 4 in each step";
  EXPECT_SAME(engine.raw().logits_hash(), 0u) << "no token has been sampled";
  const std::vector<EngineCoreOutput> third = engine.step();
  ASSERT_SAME(third.size(), 1u) << "outputs of the third step";
  EXPECT_SAME(third[0].request_id, std::string("A")) << "who gets a token";
  EXPECT_SAME(third[0].new_token_ids.size(), 1u) << "its tokens";
  EXPECT_SAME(engine.raw().scheduler().request("A").token_ids.size(), 10u) << "A has its token";
  const std::uint64_t hash = engine.raw().logits_hash();
  EXPECT_DIFFERENT(hash, std::uint64_t{0}) << "the hash of the logits of a token";
  engine.step();
  EXPECT_DIFFERENT(engine.raw().logits_hash(), hash) << "the hash after one more token";
  expect_part_of_a_long_prompt();
  expect_a_token_beside_a_part();
}

void expect_refuses_a_model_that_is_too_short() {
  const TinyLlama llama(1);
  EngineConfig config = Settings{.num_slots = 66'000}.config();
  config.scheduler.max_model_len = tiny_config().max_position_embeddings;
  const Engine engine(llama.model(), config);
  ++config.scheduler.max_model_len;
  EXPECT_REFUSED(Engine(llama.model(), config)) << "129 positions of 128";
  config.scheduler.max_model_len = 65'536 + 128;
  EXPECT_REFUSED(Engine(llama.model(), config)) << "65,664 positions of 128";
}

void expect_refuses_tokens_of_another_model() {
  const TinyLlama llama(1);
  ServingEngine engine(llama.model(), {});
  Scheduler& scheduler = engine.raw().scheduler();
  for (const TokenId token : {50, 5'000, -1}) {
    const Text prompt = {1, token, 2};
    EXPECT_REFUSED(engine.add("B", {prompt})) << "the model has tokens 0 to 49";
  }
  engine.add("A", {{1, 49}, {.max_tokens = 3}});
  engine.step();
  for (const TokenId token : {50, -1})
    EXPECT_REFUSED(scheduler.update_draft_token_ids("A", {1, token})) << "no draft is one of these";
  EXPECT_REFUSED(scheduler.update_draft_token_ids("B", {1})) << "there is no B";
  scheduler.update_draft_token_ids("A", {49});
  scheduler.update_draft_token_ids("A", {});  // Why: drafts that are computed need step 7.16.
  const SchedulerOutput step = scheduler.schedule();
  EXPECT_REFUSED(scheduler.update_draft_token_ids("A", {1})) << "the token before it is to come";
  EXPECT_SAME(scheduler.update_from_output(step, std::vector<Text>{{3}}).size(), 1u)
      << "requests that got tokens";
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
  expect_refuses_tokens_of_another_model();
}

TEST(EngineStep, SaysWhyATextEnds) {
  SPEC("a text ends with a stop token or with max_tokens, and the step says which", kEngineStep,
       "hands them to the scheduler", "Gives what 7.8 gives");
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
  allow_steps(10'000'000);
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
