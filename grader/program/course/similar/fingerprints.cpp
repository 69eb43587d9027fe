#include "grader/program/course/similar/fingerprints.h"

#include <algorithm>

namespace kv::grader::similar {
namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15;

constexpr std::uint64_t power_of_base(std::size_t exponent) {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < exponent; ++i) power *= kBase;
  return power;
}

// Why: which hash is the smallest must not depend on the last tokens alone.
std::uint64_t mixed(std::uint64_t sum) {
  sum = (sum ^ (sum >> 31)) * 0xbf58476d1ce4e5b9;
  return sum ^ (sum >> 29);
}

}  // namespace

std::vector<std::uint64_t> gram_hashes(std::span<const NormalToken> tokens) {
  constexpr std::uint64_t kOldest = power_of_base(kGramTokens);
  std::vector<std::uint64_t> hashes;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    sum = sum * kBase + tokens[i].code;
    if (i >= kGramTokens) sum -= kOldest * tokens[i - kGramTokens].code;
    if (i + 1 >= kGramTokens) hashes.push_back(mixed(sum));
  }
  return hashes;
}

// If hashes are equal, the last one of a window is taken, unless an earlier one was taken already.
std::vector<Fingerprint> winnow(std::span<const std::uint64_t> grams) {
  std::vector<Fingerprint> chosen;
  if (grams.empty()) return chosen;
  const std::size_t width = std::min(kWindowGrams, grams.size());
  for (std::size_t begin = 0; begin + width <= grams.size(); ++begin) {
    std::size_t smallest = begin;
    for (std::size_t i = begin; i < begin + width; ++i) {
      if (grams[i] <= grams[smallest]) smallest = i;
    }
    const bool is_chosen =
        !chosen.empty() && chosen.back().first >= begin && chosen.back().hash == grams[smallest];
    if (!is_chosen) chosen.push_back({grams[smallest], smallest});
  }
  return chosen;
}

}  // namespace kv::grader::similar
