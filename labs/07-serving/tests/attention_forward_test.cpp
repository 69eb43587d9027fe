// Step 7.10: attention of one layer for a step, against attention over contiguous keys.

#include <gtest/gtest.h>

#include <functional>

#include "07-serving/tests/attention_step.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

constexpr const char* kAttentionForward = "7.10 attention_forward";

void expect_a_prompt() {
  AttentionStep({}, {{.seed = 1, .context_len = 0, .num_tokens = 9}}).expect_dense();
  AttentionStep({.block_size = 1}, {{1, 0, 9}}).expect_dense();
  AttentionStep({.block_size = 7}, {{1, 0, 1}}).expect_dense();
  AttentionStep({.block_size = 7}, {{1, 0, 50}}).expect_dense();
}

TEST(AttentionForward, TokensChunksAndPrompts) {
  SPEC("a token of output, a chunk in the middle of a prompt and a whole prompt in one step",
       kAttentionForward, "lets each row attend to the tokens of its request up to its own");
  for (const std::size_t block_size : {1u, 4u, 7u, 16u}) {
    const StepShape shape = {.block_size = block_size};
    AttentionStep(shape, {{1, 12, 1}}).expect_dense();
    AttentionStep(shape, {{1, 5, 3}}).expect_dense();
    AttentionStep(shape, {{1, 12, 1}, {2, 5, 6}, {3, 0, 8}, {4, 30, 1}, {5, 8, 8}}).expect_dense();
  }
  expect_a_prompt();
}

TEST(AttentionForward, HeadsOfAnyNumber) {
  SPEC("as many query heads for a KV head as there are", kAttentionForward,
       "lets each row attend to the tokens of its request up to its own");
  const std::vector<RowsOf> requests = {{1, 3, 2}, {2, 0, 5}, {3, 9, 1}};
  AttentionStep({.num_heads = 1, .num_kv_heads = 1, .head_dim = 1}, requests).expect_dense();
  AttentionStep({.num_heads = 6, .num_kv_heads = 1, .head_dim = 3}, requests).expect_dense();
  AttentionStep({.num_heads = 6, .num_kv_heads = 6, .head_dim = 8}, requests).expect_dense();
  AttentionStep({.num_heads = 6, .num_kv_heads = 2, .head_dim = 4}, requests).expect_dense();
  AttentionStep({.num_heads = 9, .num_kv_heads = 3, .head_dim = 2}, requests).expect_dense();
}

TEST(AttentionForward, ABlockOfTwoRequests) {
  SPEC("a request reads a block that a later request of the same step writes", kAttentionForward,
       "Why in this order", "writes the key and the value of every row");
  AttentionStep({}, {{1, 4, 3, 4, 1}, {2, 0, 6}}).expect_dense();
  AttentionStep({}, {{1, 0, 6}, {2, 4, 3, 4, 0}}).expect_dense();
  AttentionStep({.block_size = 1}, {{1, 5, 1, 5, 2}, {2, 3, 1, 3, 2}, {3, 0, 6}}).expect_dense();
  AttentionStep({.block_size = 7}, {{1, 14, 2, 14, 1}, {2, 7, 9}, {3, 14, 1, 14, 1}})
      .expect_dense();
}

TEST(AttentionForward, WritesTheRowsAndNothingElse) {
  SPEC(
      "keys and values of the rows are in their slots after the call, and the other slots as they "
      "were",
      kAttentionForward, "writes the key and the value of every row");
  for (const std::size_t block_size : {1u, 4u, 7u}) {
    AttentionStep step({.block_size = block_size}, {{1, 6, 3}, {2, 0, 5}, {3, 20, 1}});
    step.keep_cache();
    step.expect_dense();
    step.expect_rows_written();
  }
}

void expect_no_rows() {
  AttentionStep({}, {}).expect_dense();
  AttentionStep step({}, {});
  step.out() = {-7};
  EXPECT_REFUSED(step.attend()) << "a number in out, and no row";
}

// Computed tokens, rows, requests and numbers of a row.
void expect_more_than_16_bits() {
  const StepShape small = {.num_heads = 1, .num_kv_heads = 1, .head_dim = 1, .block_size = 16};
  AttentionStep(small, {{1, 65'537, 1}, {2, 0, 300}}).expect_dense();
  AttentionStep({.num_heads = 1, .num_kv_heads = 1, .head_dim = 66'000}, {{1, 0, 1}, {2, 1, 1}})
      .expect_dense();
  clear_log();
  AttentionStep({.num_heads = 1, .num_kv_heads = 1, .head_dim = 1, .block_size = 1},
                std::vector<RowsOf>(66'000, {3, 0, 1}))
      .expect_dense();
}

TEST(AttentionForward, AnyNumberOfRequests) {
  SPEC("many requests in one step, or none at all; long ones and large heads", kAttentionForward,
       "lets each row attend to the tokens of its request up to its own");
  allow_steps(200'000'000);
  std::vector<RowsOf> requests;
  for (std::uint64_t i = 0; i < 300; ++i) requests.push_back({i, i % 5, 1 + i % 2});
  requests.push_back({300, 40, 20});
  AttentionStep({}, requests).expect_dense();
  expect_more_than_16_bits();
  expect_no_rows();
}

// The result of a request, alone or after others.
std::vector<float> out_beside(const StepShape& shape,
                              const RowsOf& request,
                              std::vector<RowsOf> others,
                              std::uint64_t placement) {
  others.push_back(request);
  const std::size_t req = others.size() - 1;
  AttentionStep step(shape, others, placement);
  step.attend();
  return step.out_of(req);
}

// In one step of a long text, and alone.
void expect_last_row_alone() {
  constexpr std::size_t kNumTokens = 520;
  const std::vector<float> expected = out_beside({}, {9, 0, kNumTokens}, {}, 1);
  for (const std::size_t num_tokens : {520u, 260u, 129u}) {
    const std::vector<float> yours = out_beside({}, {9, num_tokens - 1, 1}, {}, 2);
    const float* const row = &expected[(num_tokens - 1) * yours.size()];
    EXPECT_HOLDS(std::memcmp(yours.data(), row, yours.size() * sizeof(float)) == 0)
        << "position " << num_tokens - 1 << " alone: other bits than in one step of " << kNumTokens
        << " tokens";
  }
}

TEST(AttentionForward, TheSameBitsEverywhere) {
  SPEC("the bits of a row are the same for all blocks, chunks and other requests",
       kAttentionForward, "bits of a row depend on the tokens of its request alone");
  allow_steps(100'000'000);
  constexpr std::size_t kRow = 4 * 5;
  const std::vector<float> expected = out_beside({}, {9, 0, 40}, {}, 1);
  for (const std::size_t block_size : {1u, 7u, 16u, 64u}) {
    for (const std::size_t chunk : {1u, 3u, 13u, 40u}) {
      for (std::size_t begin = 0; begin < 40; begin += chunk) {
        const std::size_t num_tokens = std::min(chunk, 40 - begin);
        const std::vector<float> yours = out_beside(
            {.block_size = block_size}, {9, begin, num_tokens}, {{1, 3, 4}, {2, 17, 1}}, chunk);
        EXPECT_HOLDS(
            std::memcmp(yours.data(), &expected[begin * kRow], yours.size() * sizeof(float)) == 0)
            << "positions " << begin << " to " << begin + num_tokens - 1 << ", blocks of "
            << block_size << ": other bits than in one step of 40 tokens with blocks of 4";
        if (HasFailure()) return;
      }
    }
  }
  expect_last_row_alone();
}

// break_it: what is wrong with a step of three requests.
void expect_step_refused(const char* why, const std::function<void(AttentionStep&)>& break_it) {
  AttentionStep step({}, {{1, 6, 3}, {2, 0, 5}, {3, 20, 1}});
  break_it(step);
  step.keep_cache();
  const std::vector<float> before = step.out();
  log_step(std::string("attention_forward: ") + why);
  EXPECT_REFUSED(step.attend()) << why;
  const bool is_same =
      std::memcmp(before.data(), step.out().data(), before.size() * sizeof(float)) == 0;
  EXPECT_HOLDS(is_same) << "out is as it was: " << why;
  step.expect_cache_unchanged("the refused call has written into the cache");
}

void expect_refuses_requests() {
  const auto entry = [](AttentionStep& step, std::size_t req, std::size_t i) -> BlockId& {
    return step.input().block_tables[req * step.input().max_num_blocks + i];
  };
  expect_step_refused("the last block of the last request is -1",
                      [&](AttentionStep& step) { entry(step, 2, 5) = -1; });
  expect_step_refused("a block of the second request is none of the cache",
                      [&](AttentionStep& step) { entry(step, 1, 1) = 1'000; });
  expect_step_refused("the first block of the first request is -1",
                      [&](AttentionStep& step) { entry(step, 0, 0) = -1; });
  expect_step_refused("a request has more tokens than its table has slots",
                      [](AttentionStep& step) { step.input().seq_lens[2] = 25; });
  expect_step_refused("out is larger than query",
                      [](AttentionStep& step) { step.out().push_back(-7); });
  expect_step_refused("3 query heads and 2 KV heads", [](AttentionStep& step) {
    step.query().resize(9 * 3 * 5);
    step.out().resize(9 * 3 * 5);
  });
}

TEST(AttentionForward, RefusesTheWholeCall) {
  SPEC(
      "a row without a slot, a request without its blocks, or a tensor of another size, refuses "
      "the whole call",
      kAttentionForward, "what 5.2 refuses of a row", "refuses the whole call",
      "or 5.6 of a request");
  const auto last_slot = [](AttentionStep& step) -> SlotId& {
    return step.input().slot_mapping.back();
  };
  expect_step_refused("a slot after the last one", [&](AttentionStep& step) {
    last_slot(step) = static_cast<SlotId>(step.layout().num_slots());
  });
  expect_step_refused("slot -2", [&](AttentionStep& step) { last_slot(step) = -2; });
  expect_step_refused("a key is too short", [](AttentionStep& step) { step.key().pop_back(); });
  expect_step_refused("a value is too long",
                      [](AttentionStep& step) { step.value().push_back(1); });
  expect_step_refused("a cache of another size",
                      [](AttentionStep& step) { ++step.layout().num_blocks; });
  expect_refuses_requests();
}

// Some requests, of which later ones can begin with the blocks of an earlier one.
std::vector<RowsOf> random_requests(Random& random, std::size_t block_size) {
  std::vector<RowsOf> requests;
  for (std::size_t i = 0; i < 1 + random.below(6); ++i)
    requests.push_back({100 * i + random.below(50), random.below(20), 1 + random.below(9)});
  for (std::size_t i = 1; i < requests.size(); ++i) {
    if (random.below(3) > 0) continue;
    const std::size_t num_shared = requests[0].seq_len() / block_size * block_size;
    if (num_shared > requests[i].context_len) continue;
    requests[i].num_shared = num_shared;
  }
  std::rotate(requests.begin(), requests.begin() + 1, requests.end());
  for (RowsOf& request : requests) request.shared_with = requests.size() - 1;
  return requests;
}

TEST(AttentionForward, RandomSteps) {
  SPEC("any mix of requests, with blocks of any size and any groups of heads", kAttentionForward,
       "lets each row attend to the tokens of its request up to its own");
  allow_steps(40'000'000);
  for (std::uint64_t i = 0; i < 60 && !HasFailure(); ++i) {
    clear_log();
    Random random(history_seed() + i);
    const std::size_t num_kv_heads = 1 + random.below(3);
    const StepShape shape = {.num_heads = num_kv_heads * (1 + random.below(3)),
                             .num_kv_heads = num_kv_heads,
                             .head_dim = 1 + random.below(9),
                             .block_size = 1 + random.below(8)};
    AttentionStep step(shape, random_requests(random, shape.block_size), i);
    step.keep_cache();
    step.expect_dense();
    step.expect_rows_written();
  }
}

}  // namespace
}  // namespace kv::grader
