#include <algorithm>
#include <random>

#include "grader/classroom/similar/fingerprints.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

using similar::NormalToken;

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
  const auto prints = similar::winnow(similar::gram_hashes(right));
  return std::ranges::any_of(similar::winnow(similar::gram_hashes(left)), [&](const auto& print) {
    return std::ranges::count(prints, print.hash, &similar::Fingerprint::hash) > 0;
  });
}

int num_found(std::size_t length, int num_tries) {
  TextMaker maker;
  int num_found = 0;
  for (int i = 0; i < num_tries; ++i) {
    const std::vector<NormalToken> piece = maker.tokens(length);
    num_found += have_common_print(maker.around(piece), maker.around(piece)) ? 1 : 0;
  }
  return num_found;
}

}  // namespace

void check_winnowing(const Kit& /*kit*/, Checks& checks) {
  constexpr int kTries = 300;
  checks.expect(num_found(similar::kGuaranteedTokens, kTries) == kTries,
                "27 common tokens always have a common fingerprint");
  checks.expect(num_found(similar::kGramTokens - 1, kTries) == 0,
                "19 common tokens never have one");
  TextMaker maker;
  const std::vector<NormalToken> text = maker.tokens(9000);
  const std::size_t num_prints = similar::winnow(similar::gram_hashes(text)).size();
  checks.expect(num_prints > 1800 && num_prints < 2200, "2 of 9 k-grams are fingerprints",
                std::to_string(num_prints) + " of 9000 tokens");
}

}  // namespace kv::grader
