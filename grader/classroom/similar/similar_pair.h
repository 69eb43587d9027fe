#pragma once
// What two texts have in common, and the pairs of submissions that have much.

#include <cstddef>
#include <string>
#include <vector>

#include "grader/classroom/similar/lab_text.h"

namespace kv::grader::similar {

// What two texts have in common.

// Where two submissions have the same tokens, exactly.
struct CommonPlace {
  std::size_t left;   // the first token
  std::size_t right;  // the first token
  std::size_t num_tokens;
  std::size_t num_counted;  // tokens that count
};

// In the order of the left text. Each begins and ends with a token that counts, and is a part of at
// least kGramTokens equal ones in one file. No token is in two places. The time is that of reading
// both texts.
std::vector<CommonPlace> common_places(const LabText& left, const LabText& right);

// Which submissions have fingerprints in common that not many have.
struct SharedPrints {
  std::size_t left, right;  // indices of the texts, left < right
  std::size_t num_shared;   // different fingerprints
  double left_share;        // num_shared, as a share of the left text's fingerprints that count
  double right_share;

  double share() const { return left_share > right_share ? left_share : right_share; }
};

// What more texts have than this does not count: many right answers are alike. Equal texts are one
// here, so a group that hands in one text is found however large it is.
std::size_t frequent_limit(std::size_t num_texts);

// Excludes what is frequent. Returns how many fingerprints that are.
std::size_t exclude_frequent(std::vector<LabText>& texts);

// The pairs that have a fingerprint in common. The time is that of reading all fingerprints and
// naming these pairs.
std::vector<SharedPrints> pairs_that_share(const std::vector<LabText>& texts);

// Two submissions that have much in common in a lab.

// A pair is listed if it has kMinTokens in common, and with them the asked share of the
// fingerprints of one of the two; or if it has kLongPlace in one place. How the numbers were found:
// grader/classroom/docs/similarity.md.
inline constexpr std::size_t kMinTokens = 80;
inline constexpr std::size_t kLongPlace = 100;
inline constexpr int kDefaultShare = 50;  // per cent

struct SimilarPair {
  SharedPrints shared;                          // which two texts, and how much they share
  std::vector<CommonPlace> places = {};         // the largest first
  std::size_t num_tokens = 0;                   // that count and are in common
  std::string lab = {}, left = {}, right = {};  // "01", and the names of the submissions
  std::string page_file = {};                   // "pairs/lab01-0001.html"; empty: it has none

  std::size_t longest() const { return places.empty() ? 0 : places.front().num_counted; }
};

// Those that are listed, of one lab, the most tokens first. least_share: per cent.
std::vector<SimilarPair> similar_pairs(const std::vector<LabText>& texts, int least_share);

}  // namespace kv::grader::similar
