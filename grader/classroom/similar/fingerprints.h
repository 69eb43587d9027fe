#pragma once
// The tokens of a text in a normal form, and the fingerprints of a text.

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kv::grader::similar {

// C++ text in the form in which submissions are compared. What a copier changes most easily is not
// in it: comments, white space, names, numbers, texts, braces, and words like `const` or `std::`.
struct NormalToken {
  std::uint32_t code;   // equal for tokens that count as the same
  std::uint32_t begin;  // its offset in the source
  std::uint32_t length;

  std::size_t end() const { return std::size_t{begin} + length; }
};

// Names that are compared as they are. They are what the kit's own texts call or take from an
// object: nobody can rename `popleft` or `next_free_block`.
using KeptNames = std::set<std::string, std::less<>>;

void add_kept_names(std::string_view source, KeptNames& names);

std::vector<NormalToken> normal_tokens(std::string_view source, const KeptNames& kept);

// Winnowing: a text's fingerprints are the smallest hash of each window of neighboring k-grams. Two
// texts that have kGuaranteedTokens in a row in common have a fingerprint in common, and they have
// none in common for fewer than kGramTokens.
inline constexpr std::size_t kGramTokens = 20;
inline constexpr std::size_t kWindowGrams = 8;
inline constexpr std::size_t kGuaranteedTokens = kGramTokens + kWindowGrams - 1;

struct Fingerprint {
  std::uint64_t hash;
  std::size_t first;  // index of the first of its kGramTokens tokens
};

// A hash for each token at which a k-gram begins. Empty: the text is shorter than one.
std::vector<std::uint64_t> gram_hashes(std::span<const NormalToken> tokens);

std::vector<Fingerprint> winnow(std::span<const std::uint64_t> grams);

}  // namespace kv::grader::similar
