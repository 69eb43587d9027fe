#pragma once
// What two texts have in common.

#include <cstddef>
#include <vector>

#include "grader/program/course/similar/lab_text.h"

namespace kv::grader::similar {

// Where two submissions have the same tokens, exactly.
struct CommonPlace {
  std::size_t left;   // the first token
  std::size_t right;  // the first token
  std::size_t num_tokens;
  std::size_t num_counted;  // of them
};

// In the order of the left text. Each begins and ends with a token that counts, and is a part of at
// least kGramTokens equal ones in one file. No token is in two places. The time is that of reading
// both texts.
std::vector<CommonPlace> common_places(const LabText& left, const LabText& right);

// Which submissions have fingerprints in common that not many have.
struct SharedPrints {
  std::size_t left, right;  // indices of the texts, left < right
  std::size_t num_shared;   // different fingerprints
  double left_share;        // of those of the left text that count
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

}  // namespace kv::grader::similar
