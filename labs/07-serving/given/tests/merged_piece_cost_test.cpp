// The tokens of a long word: those of the plain loop, at a cost that does not grow with its square.

#include "07-serving/given/merged_piece.h"
#include "grader/harness/cost.h"
#include "grader/harness/expectations.h"
#include "grader/harness/random.h"

namespace kv::grader {
namespace {

using Tokens = std::vector<TokenId>;

// Looks through all pairs for the one to merge, again and again.
Tokens merged_in_a_plain_loop(const Merges& merges, Tokens tokens) {
  while (true) {
    auto best = merges.end();
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const auto found = merges.find({tokens[i], tokens[i + 1]});
      if (found == merges.end()) continue;
      if (best != merges.end() && best->second.rank <= found->second.rank) continue;
      best = found;
      at = i;
    }
    if (best == merges.end()) return tokens;
    tokens[at] = best->second.merged;
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
}

Tokens merged(const Merges& merges, const Tokens& tokens) {
  MergedPiece piece(merges);
  for (const TokenId token : tokens) piece.append(token);
  piece.merge();
  Tokens result;
  piece.copy_to(result);
  return result;
}

// A tokenizer of a few letters, whose merges build on each other, as in training.
Merges random_merges(Random& random, std::size_t num_letters) {
  Merges merges;
  for (std::size_t rank = 0; rank < 30; ++rank) {
    const auto any = [&] { return static_cast<TokenId>(random.below(num_letters + rank)); };
    merges.insert({{any(), any()}, {rank, static_cast<TokenId>(num_letters + rank)}});
  }
  return merges;
}

TEST(MergedPiece, HasTheTokensOfThePlainLoop) {
  for (std::uint64_t seed = 0; seed < 3'000 && !HasFailure(); ++seed) {
    Random random(seed);
    const std::size_t num_letters = 1 + random.below(4);
    const Merges merges = random_merges(random, num_letters);
    Tokens tokens(random.below(40));
    for (TokenId& token : tokens) token = static_cast<TokenId>(random.below(num_letters));
    EXPECT_SAME(merged(merges, tokens), merged_in_a_plain_loop(merges, tokens)) << "seed " << seed;
  }
}

TEST(MergedPiece, OneLetterManyTimes) {
  const Merges merges = {{{0, 0}, {1, 1}}, {{1, 1}, {0, 2}}, {{2, 0}, {2, 3}}};
  for (std::size_t num_tokens = 0; num_tokens < 70; ++num_tokens) {
    const Tokens tokens(num_tokens, 0);
    EXPECT_SAME(merged(merges, tokens), merged_in_a_plain_loop(merges, tokens))
        << num_tokens << " times";
  }
}

TEST(MergedPiece, CostsLittleMoreForEachTokenOfALongOne) {
  Merges merges;  // 0 0 is 1, 1 1 is 2, and so on
  for (TokenId token = 0; token < 20; ++token)
    merges[{token, token}] = {static_cast<std::size_t>(token), token + 1};
  const auto cost_of_each = [&](std::size_t num_tokens) {
    const Tokens tokens(num_tokens, 0);
    return share(cost_of([&] { merged(merges, tokens); }), num_tokens).num_steps;
  };
  const std::size_t few = cost_of_each(1'000), many = cost_of_each(200'000);
  EXPECT_HOLDS(few > 0 && many < 3 * few)
      << "basic blocks for each token: " << few << " of 1,000, " << many << " of 200,000";
}

}  // namespace
}  // namespace kv::grader
