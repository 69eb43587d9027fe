// Chunks of a prompt: each query attends to what is before it, and to itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "05-paged-attention/tests/attention_fixture.h"
#include "kv/require.h"

namespace kv::grader::prefill {
namespace {

constexpr std::size_t kNumHeads = 4, kNumKvHeads = 2, kHeadDim = 5, kRow = kNumHeads * kHeadDim;

// A prompt whose keys and values are in the cache already.
template <class Real>
class Prompt {
 public:
  explicit Prompt(std::size_t num_tokens, std::uint64_t seed = 7)
      : num_tokens_(num_tokens),
        fixture_({kNumHeads, kNumKvHeads, kHeadDim, 4, num_tokens}, seed),
        cache_(fixture_.template place<Real>(table_, kPoisons<Real>[0])) {
    log_start("", {"prompt(num_tokens, block_size)", "a prompt of {0} tokens, blocks of {1} slots"},
              num_tokens, fixture_.shape().block_size);
    Random random(seed + 1);
    query_ = as<Real>(random_numbers(random, num_tokens * kRow));
  }

  std::vector<Real> chunk(std::size_t context_len, std::size_t num_tokens) {
    log_step({"paged_prefill_attention(context_len, num_tokens)",
              "paged_prefill_attention: context_len {0}, {1} tokens"},
             context_len, num_tokens);
    std::vector<Real> out(num_tokens * kRow, unwritten<Real>());
    const std::span<const Real> query = query_;
    paged_prefill_attention<Real>(out, query.subspan(context_len * kRow, out.size()), cache_.view(),
                                  table_, context_len, num_tokens,
                                  static_cast<Real>(fixture_.scale()));
    log_returned();
    return out;
  }

  std::vector<Real> in_chunks_of(std::size_t chunk_size) {
    std::vector<Real> out;
    for (std::size_t i = 0; i < num_tokens_; i += chunk_size) {
      std::ranges::copy(chunk(i, std::min(chunk_size, num_tokens_ - i)), std::back_inserter(out));
    }
    return out;
  }

  // Each token of the prompt gets what it would get if it were the last one.
  void expect_causal(const std::vector<Real>& out, std::size_t context_len) {
    for (std::size_t i = 0; i < out.size() / kRow; ++i) {
      const auto row = [&](const auto& numbers, std::size_t first) {
        const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(first * kRow);
        return std::vector(begin, begin + kRow);
      };
      const std::size_t position = context_len + i;
      log_step({"compare(position)", "the query at position {0}"}, position);
      expect_near(row(out, i),
                  oracle::dense_attention(fixture_.sequence(), as<double>(row(query_, position)),
                                          position + 1, fixture_.scale()),
                  tolerance_of<Real>(kHeadDim + position + 1), kHeadDim);
    }
  }

 private:
  std::size_t num_tokens_;
  PagedFixture fixture_;
  std::vector<BlockId> table_;
  PoisonedCache<Real> cache_;
  std::vector<Real> query_;  // [num_tokens, kNumHeads, kHeadDim]
};

// Keys are 1, so a query is its score.
template <class Real>
void expect_queries_far_apart() {
  std::vector<Real> keys(4, 1), values = {1, 3, 5, 7}, out(3, -7);
  log_step("paged_prefill_attention, queries -1000, 1000 and 0 after one token, values 1 3 5 7");
  paged_prefill_attention<Real>(out, std::vector<Real>{-1000, 1000, 0},
                                {{2, 2, 1, 1}, keys, values}, std::vector<BlockId>{0, 1}, 1, 3, 1);
  log_returned();
  expect_near(out, {2, 3, 4}, tolerance_of<Real>(16), 1);
}

TEST(Prefill, AQuerySeesItselfAndWhatIsBeforeIt) {
  SPEC("query i attends to positions 0 to context_len + i, its own included",
       "5.6 paged_prefill_attention", "and to its own");
  allow_steps(25'000'000);
  Prompt<double> prompt(6);
  prompt.expect_causal(prompt.chunk(0, 6), 0);
  Prompt<float> floats(6);
  floats.expect_causal(floats.chunk(0, 6), 0);
  Prompt<double> longer(300);
  longer.expect_causal(longer.chunk(0, 300), 0);
  expect_queries_far_apart<double>();
  expect_queries_far_apart<float>();
}

TEST(Prefill, BeginsAfterItsContext) {
  SPEC("the first query of a chunk is at position context_len", "5.6 paged_prefill_attention");
  Prompt<double> prompt(11);
  prompt.expect_causal(prompt.chunk(5, 4), 5);
  prompt.expect_causal(prompt.chunk(10, 1), 10);
  Prompt<double> longer(130);
  longer.expect_causal(longer.chunk(128, 1), 128);
  longer.expect_causal(longer.chunk(64, 66), 64);
}

TEST(Prefill, AnEmptyChunkIsNoWork) {
  SPEC("a chunk of no tokens gives nothing, and has no rows", "5.6 paged_prefill_attention");
  EXPECT_SAME(Prompt<double>(4).chunk(4, 0).size(), 0u) << "out of a chunk without tokens";
  std::vector<double> keys(4, 1), values(4, 1), out(1);
  EXPECT_REFUSED(paged_prefill_attention<double>(out, std::vector<double>(1, 1),
                                                 {{2, 2, 1, 1}, keys, values},
                                                 std::vector<BlockId>{1}, 1, 0, 1))
      << "a row of out and query, and no token";
}

TEST(Prefill, RefusesTheWholeCall) {
  SPEC("a chunk that ends past the table is refused, and out is as it was",
       "5.6 paged_prefill_attention");
  std::vector<double> keys(4, 1), values(4, 1), query(2, 1), out(2);
  const auto prefill = [&](std::size_t context_len) {
    log_step(
        {"paged_prefill_attention(context_len)", "two tokens after {0}, and a table of 2 slots"},
        context_len);
    const KVCache<double> cache = {{2, 2, 1, 1}, keys, values};
    paged_prefill_attention<double>(out, query, cache, std::vector<BlockId>{1}, context_len, 2, 1);
  };
  prefill(0);
  out = {-7, -7};
  EXPECT_REFUSED(prefill(1)) << "position 2 is past the table";
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_REFUSED(prefill(std::size_t{0} - i)) << "after 2^64 - " << i;
  }
  EXPECT_SAME(out, (std::vector<double>{-7, -7})) << "nothing is written then";
  out.push_back(-7);
  EXPECT_REFUSED(prefill(0)) << "out is larger than query";
}

TEST(Prefill, ChunksChangeNothing) {
  SPEC("how a prompt is cut into chunks changes nothing", "5.6 paged_prefill_attention",
       "cut into chunks");
  allow_steps(10'000'000);
  for (const std::size_t num_tokens : {1u, 16u, 33u, 50u}) {
    Prompt<double> prompt(num_tokens, num_tokens);
    Prompt<float> floats(num_tokens, num_tokens);
    for (const std::size_t chunk_size :
         {std::size_t{1}, std::size_t{3}, std::size_t{16}, num_tokens}) {
      clear_log();
      prompt.expect_causal(prompt.in_chunks_of(chunk_size), 0);
      floats.expect_causal(floats.in_chunks_of(chunk_size), 0);
    }
  }
}

// Only the last token of a chunk is NaN: a weight of 0 does not hide it.
template <class Real>
void expect_no_future() {
  PagedFixture fixture({kNumHeads, kNumKvHeads, kHeadDim, 4, 9});
  for (auto* numbers : {&fixture.sequence().keys, &fixture.sequence().values}) {
    std::fill(numbers->end() - kNumKvHeads * kHeadDim, numbers->end(), kPoisons<double>[0]);
  }
  std::vector<BlockId> table;
  PoisonedCache<Real> cache = fixture.place<Real>(table, kPoisons<Real>[0]);
  std::vector<Real> query(4 * kRow, 1), out(query.size());
  log_step({"paged_prefill_attention(context_len, num_tokens)",
            "paged_prefill_attention: context_len {0}, {1} tokens, the last of them NaN"},
           5, 4);
  paged_prefill_attention<Real>(out, query, cache.view(), table, 5, 4, 1);
  log_returned();
  for (std::size_t i = 0; i < 3 * kRow; ++i) {
    if (std::isfinite(out[i])) continue;
    ADD_FAILURE() << "the query at position " << 5 + i / kRow << " has read position 8";
    return;
  }
}

TEST(Prefill, NothingOfTheFutureShows) {
  SPEC("a query reads nothing past its own position, not even with weight 0",
       "5.6 paged_prefill_attention");
  expect_no_future<double>();
  expect_no_future<float>();
}

}  // namespace
}  // namespace kv::grader::prefill
