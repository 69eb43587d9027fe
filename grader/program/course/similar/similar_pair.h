#pragma once
// Two submissions that have much in common in a lab.

#include <string>
#include <vector>

#include "grader/program/course/similar/comparison.h"

namespace kv::grader::similar {

// A pair is listed if it has kMinTokens in common, and with them the asked share of the
// fingerprints of one of the two; or if it has kLongPlace in one place. How the numbers were found:
// docs/dev/similarity.md.
inline constexpr std::size_t kMinTokens = 80;
inline constexpr std::size_t kLongPlace = 100;
inline constexpr int kDefaultShare = 50;  // per cent

struct SimilarPair {
  SharedPrints shared;                          // of which texts
  std::vector<CommonPlace> places = {};         // the largest first
  std::size_t num_tokens = 0;                   // that count and are in common
  std::string lab = {}, left = {}, right = {};  // "01", and the names of the submissions
  std::string page_file = {};                   // "pairs/lab01-0001.html"; empty: it has none

  std::size_t longest() const { return places.empty() ? 0 : places.front().num_counted; }
};

// Those that are listed, of one lab, the most tokens first. least_share: per cent.
std::vector<SimilarPair> similar_pairs(const std::vector<LabText>& texts, int least_share);

}  // namespace kv::grader::similar
