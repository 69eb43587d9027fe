#pragma once
// Which submissions have fingerprints in common that not many have.

#include <cstddef>
#include <vector>

#include "grader/program/course/similar/lab_text.h"

namespace kv::grader::similar {

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
