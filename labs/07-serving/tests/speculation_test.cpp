// Steps 7.14 and 7.15: drafts from the text of a request, and which of them are right.

#include "07-serving/speculation.h"

#include <cstdint>

#include "07-serving/tests/recorded_scheduler.h"
#include "grader/harness/endless.h"
#include "grader/harness/random.h"

namespace kv::grader {
namespace {

constexpr const char* kPropose = "7.14 propose";
constexpr const char* kAcceptDrafts = "7.15 accept_drafts";

SpeculativeConfig looking_up(std::size_t least, std::size_t most, std::size_t num_drafts = 3) {
  return {num_drafts, least, most};
}

void expect_drafts(const Tokens& token_ids,
                   const SpeculativeConfig& config,
                   const Tokens& expected) {
  log_step("propose, tokens " + draw(token_ids) + ", n-grams of " + draw(config.prompt_lookup_min) +
           " to " + draw(config.prompt_lookup_max) + ", " + draw(config.num_speculative_tokens) +
           " drafts");
  const Tokens drafts = propose(token_ids, config);
  log_result(draw(drafts));
  EXPECT_SAME(drafts, expected) << "the drafts after " << draw(token_ids);
}

// Tokens that a float, or 8 or 16 bits, take for one another.
constexpr std::pair<TokenId, TokenId> kNearTokens[] = {
    {2, 0x102}, {2, 0x10002}, {16'777'216, 16'777'217}};

TEST(Propose, WhatCameAfterTheSameTokens) {
  SPEC("the tokens after an earlier place with the same last tokens, at most so many", kPropose,
       "Drafts of the tokens after token_ids", "Gives the tokens after that place",
       "at most num_speculative_tokens", "none if there");
  expect_drafts({5, 8, 6, 5, 8}, looking_up(2, 4), {6, 5, 8});
  expect_drafts({5, 8, 6, 5, 8}, looking_up(2, 4, 1), {6});
  expect_drafts({5, 8, 6, 5, 8}, looking_up(2, 4, 0), {});
  expect_drafts({5, 8, 6, 4, 3, 5, 8}, looking_up(2, 2, 4), {6, 4, 3, 5});
  expect_drafts({1, 2, 3, 4, 2, 3}, looking_up(2, 3, 4), {4, 2, 3});
  expect_drafts({5, 8, 6, 8, 5}, looking_up(2, 4), {});
  for (const auto& [token, other] : kNearTokens) {
    expect_drafts({5, other, 6, 5, token}, looking_up(2, 4), {});
    expect_drafts({5, other, 6, 5, token, 7, 5, token}, looking_up(2, 4, 1), {7});
  }
}

// More tokens repeat than 16 bits count.
void expect_long_repetition() {
  constexpr std::size_t kNum = 65'540;
  Tokens text(2 * kNum);
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = static_cast<TokenId>(i % kNum);
  log_step("propose, the tokens 0 to 65,539 twice, n-grams of 65,540, 2 drafts");
  EXPECT_SAME(propose(text, looking_up(kNum, kNum, 2)), Tokens({0, 1})) << "the drafts";
}

TEST(Propose, AsManyTokensAsRepeat) {
  SPEC("the more tokens repeat, the better the place, up to prompt_lookup_max", kPropose,
       "takes as many as occur", "at most prompt_lookup_max");
  const Tokens text = {2, 3, 9, 1, 2, 3, 7, 0, 1, 2, 3};
  expect_drafts(text, looking_up(1, 4, 2), {7, 0});
  expect_drafts(text, looking_up(3, 3, 2), {7, 0});
  expect_drafts(text, looking_up(1, 2, 2), {9, 1});
  expect_drafts(text, looking_up(4, 6, 2), {});
  expect_drafts(text, looking_up(1, SIZE_MAX, 2), {7, 0});
  expect_drafts({4, 4, 6, 1, 4, 6, 1}, looking_up(2, 2), {4, 6, 1});
  if (!HasFailure()) expect_long_repetition();
}

TEST(Propose, TheFirstOfSeveralPlaces) {
  SPEC("of several places with the same tokens the first, as NgramProposer takes it", kPropose,
       "of several such", "places the first");
  expect_drafts({1, 2, 5, 1, 2, 6, 1, 2}, looking_up(2, 4, 1), {5});
  expect_drafts({3, 7, 3, 8, 3}, looking_up(1, 4, 1), {7});
}

TEST(Propose, PlacesThatOverlap) {
  SPEC("the place may overlap the last tokens, but it is not they themselves", kPropose,
       "The place may overlap the last tokens");
  expect_drafts({4, 4, 4}, looking_up(2, 4), {4});
  expect_drafts({4, 4, 4, 4, 4}, looking_up(2, 2), {4, 4, 4});
  expect_drafts({1, 2, 1, 2, 1}, looking_up(2, 3), {2, 1});
}

TEST(Propose, ShortTexts) {
  SPEC(
      "a text that is no longer than prompt_lookup_min has no drafts, and impossible lengths are "
      "refused",
      kPropose, "at least prompt_lookup_min", "a prompt_lookup_min of 0", "is refused");
  expect_drafts({}, looking_up(1, 4), {});
  expect_drafts({3}, looking_up(1, 4), {});
  expect_drafts({3, 3}, looking_up(2, 4), {});
  expect_drafts({3, 3}, looking_up(1, 1), {3});
  expect_drafts({3, 3}, looking_up(1, 9), {3});
  EXPECT_REFUSED(propose(Tokens{1, 2, 1, 2}, looking_up(0, 4)));
  EXPECT_REFUSED(propose(Tokens{1, 2, 1, 2}, looking_up(3, 2)));
  EXPECT_REFUSED(propose(Tokens{}, looking_up(3, 2)));
}

// Every place and every length, one by one.
Tokens drafts_of_all_places(const Tokens& text, const SpeculativeConfig& config) {
  Tokens best;
  std::size_t longest = 0;
  for (std::size_t length = config.prompt_lookup_min; length <= config.prompt_lookup_max;
       ++length) {
    for (std::size_t place = 0; place + length < text.size(); ++place) {
      std::size_t num_same = 0;
      while (num_same < length && text[place + num_same] == text[text.size() - length + num_same])
        ++num_same;
      if (num_same < length || length == longest) continue;
      longest = length;
      best.clear();
      for (std::size_t i = place + length; i < text.size(); ++i)
        if (best.size() < config.num_speculative_tokens) best.push_back(text[i]);
    }
  }
  return best;
}

TEST(Propose, RandomTexts) {
  SPEC("the same drafts as when every place and every length are compared", kPropose,
       "takes as many as occur", "places the first");
  Random random(history_seed());
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    const std::size_t num_kinds = 1 + random.below(4), least = 1 + random.below(3);
    Tokens text(random.below(20));
    for (TokenId& token : text) token = static_cast<TokenId>(random.below(num_kinds));
    const auto config = looking_up(least, least + random.below(4), random.below(6));
    clear_log();
    expect_drafts(text, config, drafts_of_all_places(text, config));
  }
}

// The model samples these tokens, one after the other.
void expect_accepted(const Tokens& drafts, const Tokens& sampled, const Tokens& expected) {
  log_step("accept_drafts, drafts " + draw(drafts) + ", the model samples " + draw(sampled));
  std::vector<std::size_t> rows, all_rows;
  const Tokens tokens = accept_drafts(drafts, [&](std::size_t row) {
    rows.push_back(row);
    if (row >= sampled.size()) fail_now("sample is called for a row that the step does not have");
    return sampled[row];
  });
  log_result(draw(tokens));
  for (std::size_t row = 0; row < expected.size(); ++row) all_rows.push_back(row);
  EXPECT_SAME(tokens, expected) << "the tokens of the step";
  EXPECT_SAME(rows, all_rows) << "the rows that are sampled";
}

TEST(AcceptDrafts, UntilOneIsWrong) {
  SPEC("the right drafts, and the token that the model samples after them", kAcceptDrafts,
       "sample(0) is the token after the known ones", "sample(i) the one after draft i - 1");
  expect_accepted({6, 5}, {6, 7, 1}, {6, 7});
  expect_accepted({6, 5}, {4, 5, 1}, {4});
  expect_accepted({6, 5, 5}, {6, 5, 4, 9}, {6, 5, 4});
  for (const auto& [token, other] : kNearTokens)
    expect_accepted({token, 5}, {other, 5, 1}, {other});
}

void expect_many_right_drafts() {
  constexpr std::size_t kNum = 20'000;
  log_step("accept_drafts, 20,000 right drafts");
  const Tokens tokens = accept_drafts(Tokens(kNum, 5), [](std::size_t) { return 5; });
  EXPECT_SAME(tokens.size(), kNum + 1) << "tokens of the step";
}

TEST(AcceptDrafts, AllAreRight) {
  SPEC("with n right drafts, a step gives n + 1 tokens", kAcceptDrafts,
       "Each is sampled only if all drafts before it are right",
       "sample(i) the one after draft i - 1");
  expect_accepted({6, 5}, {6, 5, 1}, {6, 5, 1});
  expect_accepted({0}, {0, 0}, {0, 0});
  expect_accepted({}, {3}, {3});
  allow_steps(5'000'000);
  if (!HasFailure()) expect_many_right_drafts();
}

TEST(AcceptDrafts, SamplesOnce) {
  SPEC("a row after a wrong draft is not sampled, and no row twice", kAcceptDrafts,
       "Each is sampled only if all drafts before it are right", "in this order and once");
  expect_accepted({2, 2, 2, 2}, {2, 2, 3, 2, 2}, {2, 2, 3});
  expect_accepted({1, 2, 3}, {2, 2, 3, 4}, {2});
}

}  // namespace
}  // namespace kv::grader
