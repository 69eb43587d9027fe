// Step 7.18: several answers to one prompt, each the same to the bit as if it were the only one.

#include <set>

#include "07-serving/tests/random_engine.h"
#include "grader/harness/endless.h"

namespace kv::grader {
namespace {

constexpr const char* kAnswers = "7.18 copy_blocks";
constexpr const char* kAsIfAlone = "7.11 depend on the request and the model alone";

// An engine with forks. What each request would be alone: a prompt, and how it is answered.
class ForkingEngine : public ServingEngine {
 public:
  ForkingEngine(const LlamaModel& model, const Settings& settings)
      : ServingEngine(model, settings), model_(model), settings_(settings) {}

  void ask(const std::string& name, const Asked& asked) {
    add(name, asked);
    alone_[name] = asked;
  }

  // The requests that run and can be forked.
  std::vector<std::string> ready() {
    std::vector<std::string> names;
    for (const ServedRequest* request : raw().scheduler().running()) {
      const bool lacks_one = request->num_computed_tokens + 1 == request->token_ids.size();
      if (lacks_one && request->num_output_tokens() > 0) names.push_back(request->request_id);
    }
    return names;
  }
  void step_until_ready(const std::string& name) {
    while (std::ranges::count(ready(), name) == 0) step();
  }

  bool fork(const std::string& parent, const std::string& child, const SamplingParams& params) {
    const ServedRequest& forked = raw().scheduler().request(parent);
    const std::size_t num_kept = forked.token_ids.size() - 1;
    Asked asked{.prompt = Text(forked.token_ids.begin(),
                               forked.token_ids.begin() + static_cast<std::ptrdiff_t>(num_kept)),
                .params = params};
    asked.params.max_tokens -= num_kept - forked.num_prompt_tokens;
    log_step({"fork_request(parent_id, child_id)", "fork_request({0}, {1})"}, parent, child);
    const bool is_forked = raw().scheduler().fork_request(parent, child, params);
    log_result(is_forked ? "true" : "false");
    if (is_forked) alone_[child] = asked;
    return is_forked;
  }

  void abort(const std::string& name) {
    log_step({"finish_requests(request_id)", "finish_requests({0})"}, name);
    raw().scheduler().finish_requests(std::vector{name});
    alone_.erase(name);
    is_aborted_ = true;
  }

  // All that were not aborted have the text and the logits that they have alone.
  void finish_and_compare() {
    const Served yours = finish();
    Served expected;
    for (const auto& [name, asked] : alone_) {
      clear_log();
      const Served one = grader::served(model_, {}, {{name, asked}});
      expected.texts[name] = one.texts.at(name);
      expected.logits_hash += one.logits_hash;
    }
    if (is_aborted_) expected.logits_hash = yours.logits_hash;
    expect_same_bits(expected, yours, settings_);
  }

 private:
  const LlamaModel& model_;
  Settings settings_;
  std::map<std::string, Asked> alone_;
  bool is_aborted_ = false;
};

// A prompt of so many tokens. Some answers to it are drawn, one is not.
Asked answered(std::size_t num_tokens, std::size_t answer) {
  Asked asked;
  for (std::size_t i = 0; i < num_tokens; ++i)
    asked.prompt.push_back(static_cast<TokenId>(7 * i + 3) % 50);
  asked.params.seed = 5;
  asked.params.max_tokens = 12 + answer;
  if (answer != 1) asked.params.temperature = 1.2;
  return asked;
}

void fork_three(ForkingEngine& engine, std::size_t num_tokens) {
  engine.ask("A", answered(num_tokens, 0));
  engine.step_until_ready("A");
  EXPECT_HOLDS(engine.fork("A", "B", answered(num_tokens, 1).params)) << "there is room for B";
  EXPECT_HOLDS(engine.fork("A", "C", answered(num_tokens, 2).params)) << "there is room for C";
}

TEST(SeveralAnswers, EachAsIfItWereAlone) {
  SPEC(
      "three answers to one prompt, which ends in the middle of a block or at its end, have the "
      "texts and the logits of three requests",
      kAnswers, "Makes the copies", kAsIfAlone);
  allow_steps(600'000'000);
  const TinyLlama llama(2);
  for (const std::size_t block_size : {16u, 7u, 1u}) {
    for (const std::size_t num_tokens : {1u, 14u, 16u, 21u}) {
      for (const bool is_caching : {true, false}) {
        if (HasFailure()) return;
        clear_log();
        ForkingEngine engine(llama.model(),
                             {.block_size = block_size, .enable_caching = is_caching});
        fork_three(engine, num_tokens);
        engine.finish_and_compare();
      }
    }
  }
}

TEST(SeveralAnswers, DrawTheirOwnFirstTokens) {
  SPEC("with a temperature, the answers to one prompt are other ones from their first token on",
       kAnswers, "Makes the copies", "7.17 that gives its next token");
  const TinyLlama llama(2);
  ForkingEngine engine(llama.model(), {});
  engine.ask("A", answered(9, 0));
  engine.step_until_ready("A");
  for (int i = 0; i < 7; ++i) engine.fork("A", std::to_string(i), answered(9, 0).params);
  std::set<TokenId> first_tokens;
  for (const auto& [name, text] : engine.finish().texts) first_tokens.insert(text.at(0));
  EXPECT_HOLDS(first_tokens.size() > 2)
      << "eight answers begin with " << first_tokens.size() << " tokens";
  EXPECT_SAME(engine.raw().num_copied_blocks(), 7u)
      << "copies of the block that eight answers share: each but the last to write gets one";
}

TEST(SeveralAnswers, WithFewBlocks) {
  SPEC("answers that lose their blocks, and go on later, are the same", kAnswers,
       "Makes the copies", kAsIfAlone);
  allow_steps(600'000'000);
  const TinyLlama llama(2);
  std::size_t num_preemptions = 0;
  for (const std::size_t block_size : {16u, 7u, 1u}) {
    for (const std::size_t num_tokens : {512u, 13u, 2u}) {
      for (const bool is_caching : {true, false}) {
        if (HasFailure()) return;
        clear_log();
        ForkingEngine engine(llama.model(), {.block_size = block_size,
                                             .max_num_batched_tokens = num_tokens,
                                             .enable_caching = is_caching,
                                             .num_slots = 64});
        engine.ask("D", answered(17, 1));
        fork_three(engine, 20);
        engine.finish_and_compare();
        num_preemptions += engine.served().num_preemptions;
      }
    }
  }
  EXPECT_HOLDS(HasFailure() || num_preemptions > 20)
      << "answers lose their blocks, " << num_preemptions;
}

TEST(SeveralAnswers, OneIsAborted) {
  SPEC("whichever answer is aborted, and when, the others are the same", kAnswers,
       "Makes the copies", kAsIfAlone);
  allow_steps(600'000'000);
  const TinyLlama llama(2);
  for (const char* name : {"A", "B", "C"}) {
    for (int num_steps = 0; num_steps < 3; ++num_steps) {
      if (HasFailure()) return;
      clear_log();
      ForkingEngine engine(llama.model(), {.block_size = 8, .num_slots = 80});
      fork_three(engine, 20);
      for (int i = 0; i < num_steps; ++i) engine.step();
      engine.abort(name);
      engine.ask("D", answered(15, 1));
      engine.finish_and_compare();
    }
  }
}

struct Row {
  std::size_t num_steps;          // before the first fork
  std::size_t num_steps_between;  // two forks
};

// A has a fork, its fork has one, and so on, as far as each can be forked.
void fork_in_a_row(ForkingEngine& engine, const Row& row) {
  engine.ask("A", answered(6, 0));
  engine.step_until_ready("A");
  for (std::size_t i = 0; i < row.num_steps; ++i) engine.step();
  std::string parent = "A";
  for (std::size_t answer = 1; answer < 4; ++answer) {
    const std::vector<std::string> ready = engine.ready();
    if (std::ranges::find(ready, parent) == ready.end()) return;
    SamplingParams params = answered(6, answer).params;
    params.temperature = 1.2;
    params.max_tokens += row.num_steps;
    const std::string child = parent + std::to_string(answer);
    EXPECT_HOLDS(engine.fork(parent, child, params)) << "there is room for a fork";
    parent = child;
    for (std::size_t i = 0; i < row.num_steps_between; ++i) engine.step();
  }
}

// In a step of two tokens, the youngest forks have to wait, and are forked before they compute.
void expect_own_texts(const LlamaModel& model, Settings settings) {
  for (const std::size_t num_tokens : {512u, 2u}) {
    settings.max_num_batched_tokens = num_tokens;
    for (std::size_t num_steps = 0; num_steps < 8; ++num_steps) {
      for (const std::size_t num_steps_between : {0u, 1u}) {
        if (testing::Test::HasFailure()) return;
        clear_log();
        ForkingEngine engine(model, settings);
        fork_in_a_row(engine, {num_steps, num_steps_between});
        engine.finish_and_compare();
      }
    }
  }
}

TEST(SeveralAnswers, ForksOfForksInARow) {
  SPEC("a fork that has not computed yet is forked, after any step: each has its own text",
       kAnswers, "Makes the copies", kAsIfAlone);
  allow_steps(900'000'000);
  const TinyLlama llama(2);
  for (const std::size_t block_size : {1u, 4u})
    for (const bool is_caching : {true, false})
      expect_own_texts(llama.model(), {.block_size = block_size, .enable_caching = is_caching});
}

// Each request that is ready can be forked, after each step.
void fork_at_random(ForkingEngine& engine, Random& random) {
  std::size_t num_forks = 0;
  while (engine.raw().has_requests() && !testing::Test::HasFailure()) {
    engine.step();
    for (const std::string& name : engine.ready()) {
      if (num_forks == 8 || random.below(6) > 0) continue;
      SamplingParams params = random_asked(random).params;
      params.max_tokens += engine.raw().scheduler().request(name).num_output_tokens();
      if (engine.fork(name, name + std::to_string(num_forks), params)) ++num_forks;
    }
    if (num_forks > 0 && random.below(40) == 0 && !engine.ready().empty())
      engine.abort(engine.ready().back());
  }
}

TEST(SeveralAnswers, AtRandom) {
  SPEC("with any settings, drafts too, forks at any time and forks of forks have their own texts",
       kAnswers, "Makes the copies", kAsIfAlone);
  allow_steps(800'000'000);
  const TinyLlama llama(7);
  for (std::uint64_t i = 0; i < 30 && !HasFailure(); ++i) {
    Random random(history_seed() + i);
    Settings settings = random_settings(random);
    settings.max_num_seqs += 2;
    if (random.below(3) == 0) add_random_drafts(random, settings);
    clear_log();
    ForkingEngine engine(llama.model(), settings);
    for (const char* name : {"A", "B", "C"}) {
      Asked asked = random_asked(random);
      asked.params.max_tokens = 1 + random.below(20);
      engine.ask(name, asked);
    }
    fork_at_random(engine, random);
    engine.finish_and_compare();
  }
}

}  // namespace
}  // namespace kv::grader
