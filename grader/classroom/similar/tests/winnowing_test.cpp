// What fingerprints promise.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "grader/classroom/similar/fingerprints.h"

namespace kv::grader::similar {
namespace {

// Tokens in no order; those of two texts never agree by chance.
class TextMaker {
 public:
  std::vector<NormalToken> tokens(std::size_t count) {
    std::vector<NormalToken> made(count);
    for (NormalToken& token : made) token.code = static_cast<std::uint32_t>(random_());
    return made;
  }

  // Something, then the piece, then something.
  std::vector<NormalToken> around(const std::vector<NormalToken>& piece) {
    std::vector<NormalToken> text = tokens(random_() % 50);
    text.insert(text.end(), piece.begin(), piece.end());
    const std::vector<NormalToken> rest = tokens(random_() % 50);
    text.insert(text.end(), rest.begin(), rest.end());
    return text;
  }

 private:
  std::mt19937_64 random_{42};
};

bool have_common_print(const std::vector<NormalToken>& left,
                       const std::vector<NormalToken>& right) {
  const auto prints = winnow(gram_hashes(right));
  return std::ranges::any_of(winnow(gram_hashes(left)), [&](const auto& print) {
    return std::ranges::count(prints, print.hash, &Fingerprint::hash) > 0;
  });
}

constexpr int kTries = 300;

int num_found(std::size_t length) {
  TextMaker maker;
  int num_found = 0;
  for (int i = 0; i < kTries; ++i) {
    const std::vector<NormalToken> piece = maker.tokens(length);
    num_found += have_common_print(maker.around(piece), maker.around(piece)) ? 1 : 0;
  }
  return num_found;
}

TEST(Winnowing, AlwaysFindsTwentySevenCommonTokens) {
  EXPECT_EQ(num_found(kGuaranteedTokens), kTries);
}

TEST(Winnowing, NeverFindsNineteenCommonTokens) {
  EXPECT_EQ(num_found(kGramTokens - 1), 0);
}

TEST(Winnowing, TakesTwoOfNineKGrams) {
  EXPECT_NEAR(static_cast<double>(winnow(gram_hashes(TextMaker().tokens(9000))).size()), 2000, 199);
}

}  // namespace
}  // namespace kv::grader::similar
