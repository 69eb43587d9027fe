#pragma once
// Two rules that end one output: wherever they are, and in whatever steps its tokens come.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "07-serving/tests/recorded_scheduler.h"

namespace kv::grader {

// The prompt has two tokens, the output is 4 5 6 7, and the place of a token in it is 0 to 3.
// Each rule names a place from 1 on; 0: there is no such rule.
struct EndRules {
  std::size_t eos = 0, stop_token = 0;            // this token stops it
  std::size_t max_tokens = 0, max_model_len = 0;  // this token is the last that fits
  std::size_t min_tokens = 0;                     // no token before this place ends it

  bool stops() const { return eos + stop_token > 0; }
  bool is_limited() const { return max_tokens + max_model_len > 0; }
  std::size_t model_len() const { return max_model_len > 0 ? 3 + max_model_len : 30; }

  SamplingParams params() const {
    SamplingParams params;
    if (eos > 0) params.eos_token_id = output()[eos];
    if (stop_token > 0) params.stop_token_ids = {output()[stop_token]};
    if (max_tokens > 0) params.max_tokens = 1 + max_tokens;
    if (min_tokens > 0) params.min_tokens = 1 + min_tokens;
    return params;
  }

  static Tokens output() { return {4, 5, 6, 7}; }
};

inline std::string draw(const EndRules& rules) {
  std::string text;
  for (const auto& [name, place] : {std::pair("eos_token_id", rules.eos),
                                    {"a stop token", rules.stop_token},
                                    {"max_tokens", rules.max_tokens},
                                    {"max_model_len", rules.max_model_len},
                                    {"min_tokens", rules.min_tokens}}) {
    if (place == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(name) + " at token " +
            std::to_string(EndRules::output()[place]);
  }
  return text.empty() ? "no rule" : text;
}

// The place of the token that ends the output, and why. A stop before min_tokens is none, and of
// two rules at one place the stop decides.
inline std::pair<std::size_t, FinishReason> end_by(const EndRules& rules) {
  std::vector<std::pair<std::size_t, FinishReason>> ends;
  for (const std::size_t place : {rules.eos, rules.stop_token})
    if (place > 0 && place >= rules.min_tokens) ends.emplace_back(place, FinishReason::kStop);
  for (const std::size_t place : {rules.max_tokens, rules.max_model_len})
    if (place > 0) ends.emplace_back(place, FinishReason::kLength);
  constexpr std::size_t kNowhere = 9;
  return ends.empty() ? std::pair(kNowhere, FinishReason::kLength) : std::ranges::min(ends);
}

// Each rule at each place, each two of them at all pairs of places, and all of these with
// min_tokens, as far as an output has room for so many.
inline std::vector<EndRules> all_pairs_of_rules() {
  std::vector<EndRules> all;
  for (std::size_t i = 0; i < 4 * 4 * 4 * 4; ++i) {
    const std::size_t places[] = {i % 4, i / 4 % 4, i / 16 % 4, i / 64};
    if (std::ranges::count(places, std::size_t{0}) < 2) continue;
    for (const std::size_t min_tokens : {0u, 2u, 3u}) {
      const EndRules rules = {places[0], places[1], places[2], places[3], min_tokens};
      const auto has_room = [&](std::size_t place) { return place == 0 || place >= min_tokens; };
      if (has_room(rules.max_tokens) && has_room(rules.max_model_len)) all.push_back(rules);
    }
  }
  return all;
}

// One step, with as many tokens from `place` on as it computes; num_tokens with all its drafts.
// Gives the place after them, or 0 if one of them ends the output.
inline std::size_t expect_tokens(RecordedScheduler& scheduler,
                                 const EndRules& rules,
                                 std::size_t place,
                                 std::size_t num_tokens) {
  const Tokens output = EndRules::output();
  const auto at = output.begin() + static_cast<std::ptrdiff_t>(place);
  if (num_tokens > 1) {
    const Tokens drafts(at, at + static_cast<std::ptrdiff_t>(num_tokens) - 1);
    log_step({"update_draft_token_ids(request_id, drafts)", "update_draft_token_ids({0}, {1})"},
             "A", drafts);
    scheduler.raw().update_draft_token_ids("A", drafts);
  }
  const SchedulerOutput& step = scheduler.schedule();
  EXPECT_SAME(names_scheduled_by(step), Names({"A"})) << "who computes";
  if (testing::Test::HasFailure()) return 0;

  const std::size_t num_sampled = step.scheduled.front().num_tokens;
  const auto [end, reason] = end_by(rules);
  std::string expected = "A";
  for (std::size_t i = place; i < place + num_sampled && i <= end; ++i)
    expected += " " + std::to_string(output[i]);
  const bool is_end = end < place + num_sampled;
  if (is_end) expected += " " + draw_reason(reason);
  scheduler.expect_update({{"A", {at, at + static_cast<std::ptrdiff_t>(num_sampled)}}}, {expected});
  return is_end ? 0 : place + num_sampled;
}

// num_tokens: of each step after that of the prompt.
inline void expect_end(const EndRules& rules, const std::vector<std::size_t>& num_tokens) {
  if (testing::Test::HasFailure()) return;
  clear_log();
  RecordedScheduler scheduler({.block_size = 2, .max_model_len = rules.model_len()});
  log_step("A is to end by " + draw(rules));
  scheduler.add("A", {1, 2}, {.sampling_params = rules.params()});
  scheduler.schedule();
  scheduler.expect_update({{"A", {4}}}, {"A 4"});
  std::size_t place = 1;
  for (const std::size_t num : num_tokens)
    if (place > 0 && !testing::Test::HasFailure())
      place = expect_tokens(scheduler, rules, place, num);
  if (place == 0) scheduler.expect_step({.finished = {"A"}});
  scheduler.audit();
}

}  // namespace kv::grader
