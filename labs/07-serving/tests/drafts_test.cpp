// Step 7.16: drafts in the steps of the scheduler, and the texts with them.

#include "07-serving/tests/random_engine.h"
#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {
namespace {

constexpr const char* kTakeBack = "7.16 take_back_rejected";

// A scheduler with request A, whose prompt 1 2 3 is computed and whose first token is 4.
class AfterThePrompt : public RecordedScheduler {
 public:
  explicit AfterThePrompt(const SchedulerSizes& sizes, const RequestOptions& options = {})
      : RecordedScheduler(sizes) {
    add("A", {1, 2, 3}, options);
    schedule();
    expect_update({{"A", {4}}}, {"A 4"});
  }

  // What Engine::step does with what 7.14 gives.
  void guess(const std::string& name, const Tokens& drafts) {
    log_step({"update_draft_token_ids(request_id, drafts)", "update_draft_token_ids({0}, {1})"},
             name, drafts);
    raw().update_draft_token_ids(name, drafts);
  }
};

void expect_progress(RecordedScheduler& scheduler, std::size_t num_tokens, std::size_t computed) {
  const ServedRequest& request = scheduler.request("A");
  EXPECT_SAME(request.token_ids.size(), num_tokens) << "tokens of A";
  EXPECT_SAME(request.num_computed_tokens, computed) << "computed tokens of A";
}

TEST(Drafts, AllAreRight) {
  SPEC("right drafts stay computed, and the next step computes only the token after them",
       kTakeBack, "the drafts of a request that were not right are no longer computed",
       "7.8 one more for each draft");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6});
  scheduler.expect_step({.scheduled = {"A 3+3 ?5 ?6"}});
  scheduler.expect_update({{"A", {5, 6, 7}}}, {"A 5 6 7"});
  expect_progress(scheduler, 7, 6);
  scheduler.expect_step({.scheduled = {"A 6+1"}});
  scheduler.audit();
}

TEST(Drafts, SomeAreWrong) {
  SPEC("after a wrong draft, the token in its place is computed in the next step", kTakeBack,
       "the drafts of a request that were not right are no longer computed");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6, 7});
  scheduler.expect_step({.scheduled = {"A 3+4 ?5 ?6 ?7"}});
  scheduler.expect_update({{"A", {5, 9}}}, {"A 5 9"});
  expect_progress(scheduler, 6, 5);
  scheduler.guess("A", {8});
  scheduler.expect_step({.scheduled = {"A 5+2 ?8"}});
  scheduler.expect_update({{"A", {2}}}, {"A 2"});
  expect_progress(scheduler, 7, 6);
  scheduler.audit();
}

TEST(Drafts, BesideOthers) {
  SPEC("each request takes back its own drafts, and others none", kTakeBack,
       "the drafts of a request that were not right are no longer computed");
  AfterThePrompt scheduler({.block_size = 4});
  scheduler.add("B", {7, 7, 7, 7, 7});
  scheduler.schedule();
  scheduler.expect_update({{"A", {5}}, {"B", {8}}}, {"A 5", "B 8"});
  scheduler.guess("B", {1, 2, 3});
  scheduler.expect_step({.scheduled = {"A 4+1", "B 5+4 ?1 ?2 ?3"}});
  scheduler.expect_update({{"A", {6}}, {"B", {1, 9}}}, {"A 6", "B 1 9"});
  scheduler.expect_step({.scheduled = {"A 5+1", "B 7+1"}});
}

TEST(Drafts, OneThatEndsTheText) {
  SPEC("a request ends with the token that ends it, and gets none of those after it", kTakeBack,
       "7.8 one after the other", "7.8 until one ends it by the rules of 7.7",
       "7.8 with the tokens that they got");
  AfterThePrompt scheduler({.block_size = 2}, {.sampling_params = {.eos_token_id = 6}});
  scheduler.guess("A", {5, 6, 7});
  scheduler.schedule();
  scheduler.expect_update({{"A", {5, 6, 7, 8}}}, {"A 5 6 stop"});
  scheduler.expect_step({.finished = {"A"}});

  AfterThePrompt other({.block_size = 2}, {.sampling_params = {.max_tokens = 3}});
  other.guess("A", {5, 6});
  other.schedule();
  other.expect_update({{"A", {5, 6, 7}}}, {"A 5 6 length"});
  other.audit();
}

TEST(Drafts, OnesThatAreNotCached) {
  SPEC("a block is cached when its tokens are known, not when they are drafts", kTakeBack,
       "the drafts of a request that were not right are no longer computed");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6});
  scheduler.schedule();
  scheduler.expect_update({{"A", {5, 9}}}, {"A 5 9"});
  scheduler.add("B", {1, 2, 3, 4, 5, 6, 7});
  scheduler.expect_step({.scheduled = {"A 5+1", "B 4+3 new"}});
  scheduler.add("C", {1, 2, 3, 4, 5, 9, 7});
  scheduler.expect_step({.scheduled = {"C 6+1 new"}});
  scheduler.audit();
}

TEST(Drafts, WithLittleRoom) {
  SPEC("drafts for which a step has no room are not computed, nor any past max_model_len",
       kTakeBack, "7.8 one more for each draft");
  AfterThePrompt scheduler({.block_size = 2, .max_num_batched_tokens = 3, .max_model_len = 8});
  scheduler.guess("A", {5, 6, 7});
  scheduler.expect_step({.scheduled = {"A 3+3 ?5 ?6"}});
  scheduler.expect_update({{"A", {5, 6, 1}}}, {"A 5 6 1"});
  scheduler.guess("A", {2, 3});
  scheduler.expect_step({.scheduled = {"A 6+1"}});
  scheduler.expect_update({{"A", {2}}}, {"A 2 length"});
}

TEST(Drafts, OfARequestThatIsGone) {
  SPEC("one that was aborted in the meantime, or has no token yet, takes back nothing", kTakeBack,
       "Without sampled tokens");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6});
  const SchedulerOutput step = scheduler.schedule();
  scheduler.expect_update(step, {}, {});
  expect_progress(scheduler, 4, 6);
  scheduler.finish({"A"});
  scheduler.expect_update(step, {{"A", {5, 9}}}, {});
  EXPECT_HOLDS(!scheduler.raw().has_request("A")) << "A stays aborted";
}

TEST(Drafts, OfAPreemptedRequest) {
  SPEC("one that was preempted after the step has no computed tokens to take back", kTakeBack,
       "if it was preempted in the meantime");
  RecordedScheduler scheduler({.num_gpu_blocks = 8,
                               .block_size = 2,
                               .max_model_len = 12,
                               .long_prefill_token_threshold = 2});
  scheduler.add("B", {9, 9, 8, 8, 7, 7, 6, 6, 5, 5});
  scheduler.schedule();
  scheduler.add("A", {1, 2, 3});
  scheduler.schedule();
  scheduler.expect_step({.scheduled = {"B 4+2", "A 2+1"}});
  scheduler.expect_update({{"A", {4}}}, {"A 4"});
  scheduler.raw().update_draft_token_ids("A", {5});
  const SchedulerOutput step = scheduler.schedule();
  scheduler.expect_step({.scheduled = {"B 8+2"}, .preempted = {"A"}});
  scheduler.expect_update(step, {{"A", {9}}}, {"A 9"});
  expect_progress(scheduler, 5, 0);
  scheduler.audit();
}

TEST(Drafts, RefusesMoreTokensThanDrafts) {
  SPEC("more tokens than drafts and one refuse the whole call", kTakeBack,
       "7.8 more than one token for a request");
  AfterThePrompt scheduler({.block_size = 2});
  scheduler.guess("A", {5, 6});
  const SchedulerOutput step = scheduler.schedule();
  scheduler.expect_update_refused(step, {{5, 6, 7, 8}}, "two drafts and one token are the most");
  scheduler.expect_update(step, {{"A", {5, 6, 7}}}, {"A 5 6 7"});
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
       kTakeBack, "7.11 not on blocks, steps, drafts, other requests or preemptions");
  allow_steps(800'000'000);
  const TinyLlama llama(2);
  expect_same_bits_with_drafts(llama.model(), repeating_requests());
  if (!HasFailure()) expect_same_bits_with_drafts(llama.model(), ending_requests(llama.model()));
}

TEST(Drafts, TheSameBitsAtRandom) {
  SPEC("with any settings and any drafts, each text and the bits of its logits are the same",
       kTakeBack, "7.11 not on blocks, steps, drafts, other requests or preemptions");
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
