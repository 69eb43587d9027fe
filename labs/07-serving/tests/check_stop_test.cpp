// The rules by which an output ends, one by one and in their order.

#include <cstdint>

#include "07-serving/tests/end_rules.h"
#include "grader/harness/endless.h"

namespace kv::grader {
namespace {

constexpr const char* kStopRules = "7.7 check_stop";

const LoopsOfLab kLoops("each round of a loop goes on to the next request, token or block",
                        5'000'000);

// A prompt of two tokens and this output.
ServedRequest with_output(const Tokens& output, const SamplingParams& params) {
  ServedRequest request{{.request_id = "A", .block_size = 4, .token_ids = {7, 8}}};
  request.num_prompt_tokens = 2;
  request.sampling_params = params;
  request.token_ids.insert(request.token_ids.end(), output.begin(), output.end());
  return request;
}

void expect_stop(const Tokens& output,
                 const SamplingParams& params,
                 const std::string& expected,
                 std::size_t max_model_len = 100) {
  log_step("check_stop, output " + draw(output) + ", max_tokens " + draw(params.max_tokens) +
           ", min_tokens " + draw(params.min_tokens) + ", max_model_len " + draw(max_model_len));
  const auto reason = check_stop(with_output(output, params), max_model_len);
  log_result(draw_reason(reason));
  expect_same("check_stop to say after " + draw(output.size()) + " tokens, the last one " +
                  draw(output.back()) + ",",
              expected, draw_reason(reason));
}

// Asked after each token, until one ends the output. which: of all pairs of rules.
template <class Which>
void expect_all_pairs(Which which) {
  for (const EndRules& rules : all_pairs_of_rules()) {
    if (testing::Test::HasFailure()) return;
    if (!which(rules)) continue;
    clear_log();
    const Tokens output = EndRules::output();
    const auto [end, reason] = end_by(rules);
    for (std::size_t place = 1; place < output.size() && place <= end; ++place)
      expect_stop({output.begin(), output.begin() + static_cast<std::ptrdiff_t>(place) + 1},
                  rules.params(), place < end ? "goes on" : draw_reason(reason), rules.model_len());
  }
}

void expect_the_last_token_decides() {
  expect_stop({5, 2, 1}, {.eos_token_id = 2, .stop_token_ids = {5}}, "goes on");
  expect_stop({1}, {.eos_token_id = 8, .stop_token_ids = {7}}, "goes on");
}

TEST(CheckStop, GoesOn) {
  SPEC(
      "below the limits a request goes on, unless its last token ends it; earlier ones end nothing",
      kStopRules, "Whether the last token of a request ends it");
  expect_stop({1}, {}, "goes on");
  expect_stop({0, -1}, {.max_tokens = 3}, "goes on");
  expect_stop({0}, {.max_tokens = SIZE_MAX}, "goes on", SIZE_MAX);
  expect_stop({0}, {.max_tokens = 0x1'0000'0001}, "goes on", 0x1'0000'0003);
  expect_the_last_token_decides();
}

void expect_the_end_of_the_text() {
  expect_stop({1, 2}, {.eos_token_id = 2}, "stop");
  expect_stop({0}, {.eos_token_id = 0}, "stop");
  expect_stop({-1}, {.eos_token_id = -1}, "stop");
  expect_stop({0}, {}, "goes on");
  expect_stop({0x102}, {.eos_token_id = 2}, "goes on");
}

// Tokens that a float, or 8 or 16 bits, take for one another.
void expect_near_tokens_are_others() {
  for (const auto& [token, other] : {std::pair{0x102, 2}, {0x10002, 2}, {16'777'217, 16'777'216}}) {
    expect_stop({token}, {.eos_token_id = other}, "goes on");
    expect_stop({token}, {.stop_token_ids = {other}}, "goes on");
  }
}

TEST(CheckStop, StopTokens) {
  SPEC("the end of a text and each of stop_token_ids end the output; without them no token does",
       kStopRules, "one of stop_token_ids", "the token is eos_token_id");
  for (const TokenId token : {5, 6, 9}) {
    expect_stop({1, token}, {.stop_token_ids = {5, 6, 9}}, "stop");
    expect_stop({1, token}, {.eos_token_id = 1, .stop_token_ids = {5, 6, 9}}, "stop");
    expect_stop({2, token}, {.stop_token_ids = {9, 5, 6}}, "stop");
  }
  expect_stop({1, 7}, {.eos_token_id = 3, .stop_token_ids = {5, 6, 9}}, "goes on");
  expect_the_end_of_the_text();
  expect_near_tokens_are_others();
  expect_all_pairs([](const EndRules& it) { return !it.is_limited() && it.min_tokens == 0; });
}

TEST(CheckStop, Lengths) {
  SPEC("max_tokens counts the output, max_model_len all tokens; the first that is reached ends it",
       kStopRules, "max_model_len tokens, or max_tokens of output");
  expect_stop({1}, {.max_tokens = 1}, "length");
  expect_stop({1, 1}, {.max_tokens = 3}, "goes on");
  expect_stop({1, 1, 1}, {.max_tokens = 3}, "length");
  expect_stop({1, 1}, {.max_tokens = 9}, "goes on", 5);
  expect_stop({1, 1, 1}, {.max_tokens = 9}, "length", 5);
  expect_stop({1, 1, 1}, {.max_tokens = 3}, "length", 5);
  expect_stop(Tokens(65'536, 1), {.max_tokens = 65'536}, "length", 1'000'000);
  expect_stop(Tokens(65'536, 1), {.max_tokens = 1'000'000}, "length", 65'538);
  expect_all_pairs([](const EndRules& it) { return !it.stops() && it.min_tokens == 0; });
}

TEST(CheckStop, AStopGoesBeforeALength) {
  SPEC("a token that stops the request is the reason, also if it is the last that fits", kStopRules,
       "The first of these rules that holds decides");
  expect_stop({1, 2}, {.max_tokens = 2, .eos_token_id = 2}, "stop");
  expect_stop({1, 2}, {.max_tokens = 2, .stop_token_ids = {2}}, "stop");
  expect_stop({1, 2}, {.eos_token_id = 2}, "stop", 4);
  expect_all_pairs(
      [](const EndRules& it) { return it.stops() && it.is_limited() && it.min_tokens == 0; });
}

TEST(CheckStop, FewerThanMinTokens) {
  SPEC("before min_tokens nothing ends a request; from then on the last token decides", kStopRules,
       "fewer than min_tokens of output", "The first of these rules that holds decides");
  const SamplingParams params = {
      .max_tokens = 3, .min_tokens = 3, .eos_token_id = 2, .stop_token_ids = {5}};
  expect_stop({2}, params, "goes on");
  expect_stop({2, 5}, params, "goes on");
  expect_stop({2, 5, 2}, params, "stop");
  expect_stop({2, 5, 1}, params, "length");
  expect_stop({2, 1, 2}, {.max_tokens = 9, .min_tokens = 3, .eos_token_id = 2}, "stop", 5);
  expect_stop({2, 2, 1}, {.max_tokens = 9, .min_tokens = 3, .eos_token_id = 2}, "length", 5);
  expect_stop({2, 2}, {.max_tokens = 9, .min_tokens = 2, .eos_token_id = 2}, "stop");
  expect_stop({1}, {.max_tokens = 1, .min_tokens = 2}, "goes on");
  expect_stop({1, 1}, {.max_tokens = 9, .min_tokens = 3}, "goes on", 4);
  expect_stop(Tokens(65'536, 2), {.max_tokens = 1'000'000, .min_tokens = 100, .eos_token_id = 2},
              "stop", 1'000'000);
  expect_all_pairs([](const EndRules& it) { return it.min_tokens > 0; });
}

}  // namespace
}  // namespace kv::grader
