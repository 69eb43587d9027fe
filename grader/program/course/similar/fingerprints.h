#pragma once
// Winnowing: a text's fingerprints are the smallest hash of each window of neighboring k-grams. Two
// texts that have kGuaranteedTokens in a row in common have a fingerprint in common, and they have
// none in common for fewer than kGramTokens.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grader/program/course/similar/normal_tokens.h"

namespace kv::grader::similar {

inline constexpr std::size_t kGramTokens = 20;
inline constexpr std::size_t kWindowGrams = 8;
inline constexpr std::size_t kGuaranteedTokens = kGramTokens + kWindowGrams - 1;

struct Fingerprint {
  std::uint64_t hash;
  std::size_t first;  // of its kGramTokens tokens
};

// A hash for each token at which a k-gram begins. Empty: the text is shorter than one.
std::vector<std::uint64_t> gram_hashes(std::span<const NormalToken> tokens);

std::vector<Fingerprint> winnow(std::span<const std::uint64_t> grams);

}  // namespace kv::grader::similar
