#pragma once
// A scheduler in lockstep with an oracle that has no queue and no index, over the oracle of lab 04.

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "07-serving/tests/recorded_scheduler.h"
#include "grader/harness/history.h"
#include "grader/harness/note_options.h"
#include "reference/kv_cache_manager_oracle.h"
#include "reference/scheduler_oracle.h"

namespace kv::grader {

// Eight requests come and go: A to H. Some steps are scheduled before the one before them has been
// computed.
class SchedulerModelTest : public ModelTest {
 public:
  // sizes: usable blocks, tokens in a block, tokens of a step, requests of a step, and a number
  // whose digits choose the rest.
  explicit SchedulerModelTest(const Sizes& sizes,
                              SchedulingPolicy policy,
                              Rules rules = Rules::kVllm022)
      : sizes_(sizes_of(sizes, policy, rules)),
        scheduler_(sizes_),
        blocks_(sizes_.num_gpu_blocks,
                sizes_.block_size,
                sizes_.num_tokens(),
                sizes_.enable_caching,
                rules == Rules::kVllm033),
        oracle_(blocks_,
                {sizes_.max_num_batched_tokens, sizes_.max_num_seqs, sizes_.num_tokens(),
                 sizes_.long_prefill_token_threshold, sizes_.enable_chunked_prefill,
                 sizes_.scheduler_reserve_full_isl, policy == SchedulingPolicy::kPriority,
                 rules == Rules::kVllm033, sizes_.watermark, sizes_.reserve_prefills}) {}

  void call(Choices choices) override {
    const std::size_t kind = choices.below(32);
    if (kind == 31) return reset();
    if (kind == 30) return misuse(choices);
    if (kind > 26) return finish(any_name(choices));
    if (kind > 16) return add(any_name(choices), choices);
    if (pending_.empty() || (kind < 6 && pending_.size() < 3)) return schedule();
    update(choices);
  }

  void look() override {
    scheduler_.audit();
    scheduler_.expect_free(blocks_.free_ids());
    scheduler_.expect_cached(blocks_.cached_ids());
    scheduler_.expect_waiting(oracle_.waiting());
    scheduler_.expect_running(oracle_.running());
    if (testing::Test::HasFailure()) return;
    for (const auto& record : oracle_.records()) look_at(record);
  }

  // What runs and waits ends, and every block is free then.
  void finish() override {
    for (int i = 0; i < kMaxSteps && !oracle_.records().empty(); ++i) {
      Choices none({});
      while (!pending_.empty()) update(none);
      schedule();
    }
    look();
    EXPECT_HOLDS(oracle_.records().empty()) << "every request should end";
    expect_same("free blocks", sizes_.num_gpu_blocks - 1, scheduler_.pool().get_num_free_blocks());
  }

 private:
  using Blocks = oracle::KVCacheManagerOracle;
  using Oracle = oracle::SchedulerOracle<Blocks>;
  struct Pending {
    SchedulerOutput yours;
    Oracle::Step expected;
  };
  static constexpr std::size_t kNumTokens = 4;  // different ones, in prompts and answers
  // Eight requests, each of at most seven steps after its prompt, and each prompt token in a step.
  static constexpr int kMaxSteps = 4'000;

  static SchedulerSizes sizes_of(const Sizes& sizes, SchedulingPolicy policy, Rules rules) {
    const std::size_t rest = sizes[4];
    SchedulerSizes made = {.num_gpu_blocks = sizes[0] + 2,
                           .block_size = sizes[1],
                           .max_num_batched_tokens = sizes[2],
                           .max_num_seqs = sizes[3],
                           .long_prefill_token_threshold = rest % 4 == 3 ? 3u : 0u,
                           .enable_chunked_prefill = rest / 4 % 4 != 3,
                           .scheduler_reserve_full_isl = rest / 16 % 4 == 3,
                           .policy = policy,
                           .enable_caching = rest / 64 % 8 != 7,
                           .vocab_size = rest % 3 == 0 ? kNumTokens : 0,
                           .rules = rules};
    if (rules == Rules::kVllm033) {
      made.watermark = rest % 5 < 3 ? 0 : 0.1 * static_cast<double>(rest % 5);
      made.reserve_prefills = rest % 7 > 4;
    }
    if (made.num_tokens() == 1) ++made.num_gpu_blocks;  // Why: a prompt leaves room for a token
    if (!made.enable_chunked_prefill)
      made.max_num_batched_tokens = std::max(made.max_num_batched_tokens, made.num_tokens());
    return made;
  }

  static std::string any_name(Choices& choices) {
    return std::string(1, static_cast<char>('A' + choices.below(8)));
  }

  // The beginning of one of four texts, then tokens of its own.
  void add(const std::string& name, Choices& choices) {
    if (oracle_.find(name) != nullptr || is_pending(name)) return;
    const std::size_t text = choices.below(kNumTokens);
    const std::size_t most = std::min(sizes_.num_tokens() - 1, 5 * sizes_.block_size);
    Blocks::Prompt prompt;
    for (std::size_t i = choices.below(most); i > 0; --i)
      prompt.token_ids.push_back(static_cast<TokenId>(text));
    prompt.token_ids.push_back(static_cast<TokenId>(choices.below(kNumTokens)));

    Oracle::Asked asked{.max_tokens = 1 + choices.below(7)};
    if (choices.below(4) == 3)
      asked.min_tokens = std::min(asked.max_tokens, sizes_.num_tokens() - prompt.token_ids.size());
    if (choices.below(4) == 3) asked.stops = {3, 1};
    if (choices.below(4) == 3) asked.stops = {2};
    asked.priority = static_cast<int>(choices.below(3)) - 1;
    asked.arrival = static_cast<double>(choices.below(3));
    if (choices.below(4) == 3) prompt.tenant = "x";
    prompt.reads_cache = choices.below(8) != 7;

    note(asked, prompt);
    oracle_.add(name, prompt, asked);
    SamplingParams params{.max_tokens = asked.max_tokens, .min_tokens = asked.min_tokens};
    if (!asked.stops.empty()) params.eos_token_id = asked.stops[0];
    if (asked.stops.size() > 1) params.stop_token_ids = {asked.stops[1]};
    scheduler_.add(name, prompt.token_ids,
                   {params, asked.priority, asked.arrival, prompt.tenant, !prompt.reads_cache});
  }

  void note(const Oracle::Asked& asked, const Blocks::Prompt& prompt) {
    note_options({{"max_num_batched_tokens", sizes_.max_num_batched_tokens},
                  {"max_num_seqs", sizes_.max_num_seqs},
                  {"max_model_len", sizes_.num_tokens()},
                  {"long_prefill_token_threshold", sizes_.long_prefill_token_threshold},
                  {"enable_chunked_prefill", sizes_.enable_chunked_prefill ? 1u : 0u},
                  {"is_chunked_prefill_off", sizes_.enable_chunked_prefill ? 0u : 1u},
                  {"scheduler_reserve_full_isl", sizes_.scheduler_reserve_full_isl ? 1u : 0u},
                  {"policy", sizes_.policy == SchedulingPolicy::kPriority ? 1u : 0u},
                  {"is_caching_off", sizes_.enable_caching ? 0u : 1u},
                  {"vocab_size", sizes_.vocab_size},
                  {"rules", sizes_.rules == Rules::kVllm033 ? 1u : 0u},
                  {"watermark", static_cast<std::size_t>(sizes_.watermark * 100)},
                  {"reserve_prefills", sizes_.reserve_prefills ? 1u : 0u},
                  {"max_tokens", asked.max_tokens},
                  {"min_tokens", asked.min_tokens},
                  {"eos_token_id", asked.stops.empty() ? 0u : 1u},
                  {"stop_token_ids", asked.stops.size() > 1 ? 1u : 0u},
                  {"priority", static_cast<std::size_t>(asked.priority + 1)},
                  {"arrival_time", static_cast<std::size_t>(asked.arrival)},
                  {"cache_salt", prompt.tenant.size()},
                  {"skip_reading_prefix_cache", prompt.reads_cache ? 0u : 1u}});
  }

  void schedule() {
    const Oracle::Step expected = oracle_.schedule();
    Names scheduled;
    for (const auto& [name, kind, num_computed, num_tokens] : expected.entries)
      scheduled.push_back(name + " " + std::to_string(num_computed) + "+" +
                          std::to_string(num_tokens) +
                          (kind == 'n'   ? " new"
                           : kind == 'r' ? " resumed"
                                         : ""));
    scheduler_.expect_step({scheduled, expected.preempted, expected.finished});
    scheduler_.expect_common(expected.num_common);
    pending_.push_back({scheduler_.step(), expected});
  }

  // The model has computed the oldest of the steps that are pending.
  void update(Choices& choices) {
    const Pending step = std::move(pending_.front());
    pending_.pop_front();
    Sampled sampled;
    Names expected;
    for (const Oracle::Entry& entry : step.expected.entries) {
      if (!oracle_.is_whole(entry)) continue;
      const auto token = static_cast<TokenId>(choices.below(kNumTokens));
      const auto given = oracle_.give(entry.name, token);
      sampled[entry.name] = {token};
      expected.push_back(entry.name + " " + std::to_string(token) +
                         (given.end == 's'   ? " stop"
                          : given.end == 'l' ? " length"
                                             : ""));
    }
    scheduler_.expect_update(step.yours, sampled, expected);
  }

  void finish(const std::string& name) {
    oracle_.finish(name);
    scheduler_.finish({name});
  }

  void reset() {
    const bool expected = blocks_.forget_all();
    log_step({"reset_prefix_cache()", "reset_prefix_cache()"});
    expect_same("reset_prefix_cache to give", expected, scheduler_.manager().reset_prefix_cache());
  }

  void misuse(Choices& choices) {
    const std::string name = any_name(choices);
    if (oracle_.find(name) != nullptr)
      return scheduler_.expect_add_refused(scheduler_.request_of(name, {1}), "it is there");
    scheduler_.expect_add_refused(scheduler_.request_of(name, {}), "it has no token");
  }

  // Why: a step must not give the tokens of a request to a later one of the same id.
  bool is_pending(const std::string& name) const {
    return std::ranges::any_of(pending_, [&](const Pending& step) {
      return std::ranges::count(step.expected.entries, name, &Oracle::Entry::name) > 0;
    });
  }

  void look_at(const Oracle::Record& record) {
    const ServedRequest& request = scheduler_.request(record.name);
    EXPECT_SAME(request.token_ids, record.text.token_ids) << "the tokens of " << record.name;
    EXPECT_SAME(request.num_computed_tokens, record.num_computed)
        << "the computed tokens of " << record.name;
    EXPECT_SAME(request.num_prompt_tokens, record.num_prompt) << "the prompt of " << record.name;
    scheduler_.expect_table(record.name, blocks_.table(record.name));
  }

  SchedulerSizes sizes_;
  RecordedScheduler scheduler_;
  Blocks blocks_;
  Oracle oracle_;
  std::deque<Pending> pending_;  // scheduled, and not computed yet
};

}  // namespace kv::grader
