#pragma once
// Finds different blocks with equal hashes, in about a second on one core. What it uses of XXH64
// is its published constants and its lanes.
//
// XXH64 deals the 8-byte words of a long input to four lanes; lane 1 sees words 1, 5, 9, 13:
//
//       state = rotl(state + word * P2, 31) * P1            state before the first word: P2
//
// The last word that differs is added before anything is stirred. So words a and b lead two states
// s and t to the same one if s + a * P2 == t + b * P2, that is if s / P2 - t / P2 == b - a (modulo
// 2^64; P2 is odd, so one can divide by it). Sort s / P2 of many states: two neighbors closer than
// the vocabulary are a collision, for the words a and b can still be chosen.
//
// Without a parent, token i is word i; after one, it is word i + 1. So the same words make two
// pairs: at tokens 1, 5, 9, 13 first blocks, at tokens 0, 4, 8, 12 blocks that collide after any
// parent. One pair for both is out of reach: one word further on is a lane with another start.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kv/types.h"

namespace kv::grader {

// Why not less: a difference of words leaves but a few differences of states, so that a lane of
// three words, or of four from a few thousand tokens, has no collision at all.
constexpr std::uint64_t kMinBlockSize = 16, kMinVocabulary = 32'000;

// Different blocks with equal hashes, whatever extra keys both of them have.
struct BlockPair {
  std::vector<TokenId> a, b;
};

struct Collision {
  BlockPair without_parent, after_any_parent;
};

class CollisionSearch {
 public:
  CollisionSearch(std::uint64_t vocabulary, std::uint64_t block_size, std::uint64_t seed)
      : vocabulary_(vocabulary), block_size_(block_size), start_(stirred(seed)) {}

  // nullopt in one search of e^64.
  std::optional<Collision> run() const {
    for (std::uint64_t round = 0; round < 64; ++round) {
      if (const auto collision = neighbors(candidates(round))) return collision;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F;
  using Words = std::array<TokenId, 4>;  // words 1, 5, 9, 13

  struct Candidate {
    std::uint64_t quotient, number;  // s / P2, and which draw made s
  };

  static constexpr std::uint64_t inverse(std::uint64_t odd) {
    std::uint64_t guess = odd;  // right in the lowest 3 bits; each step doubles them
    for (int i = 0; i < 5; ++i) guess *= 2 - odd * guess;
    return guess;
  }

  // splitmix64: a number for each number, none twice.
  static constexpr std::uint64_t stirred(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
  }

  // Three tokens of the vocabulary, from 21 random bits each.
  Words draw(std::uint64_t number) const {
    const std::uint64_t random = stirred(start_ + number);
    Words words = {};
    for (std::size_t i = 0; i < 3; ++i) {
      words[i] = static_cast<TokenId>((((random >> (21 * i)) & 0x1FFFFF) * vocabulary_) >> 21);
    }
    return words;
  }

  // n draws, of which 1/32 are kept, hold n * n/32 * vocabulary / 2^64 pairs: one, for this n.
  // Why not keep all: drawing is cheaper than sorting, and 32 MiB are kinder than a gibibyte.
  std::vector<Candidate> candidates(std::uint64_t round) const {
    constexpr std::uint64_t kInverse2 = inverse(kPrime2);
    const auto num_draws =
        static_cast<std::uint64_t>(std::sqrt(0x1p69 / static_cast<double>(vocabulary_)));
    std::vector<Candidate> kept;
    kept.reserve(num_draws / 31);
    for (std::uint64_t number = round * num_draws; number < (round + 1) * num_draws; ++number) {
      const Words words = draw(number);
      std::uint64_t state = kPrime2;
      for (std::size_t i = 0; i < 3; ++i) {
        state = std::rotl(state + static_cast<std::uint64_t>(words[i]) * kPrime2, 31) * kPrime1;
      }
      if (const auto quotient = state * kInverse2; quotient >> 59 == 0) {
        kept.push_back({quotient, number});
      }
    }
    return kept;
  }

  std::optional<Collision> neighbors(std::vector<Candidate> kept) const {
    std::ranges::sort(kept, {}, &Candidate::quotient);
    const auto found = std::ranges::adjacent_find(kept, [this](const auto& s, const auto& t) {
      const std::uint64_t gap = t.quotient - s.quotient;
      return gap > 0 && gap < vocabulary_;  // no gap: the same words were drawn twice
    });
    if (found == kept.end()) return std::nullopt;
    const std::uint64_t gap = found[1].quotient - found[0].quotient;
    Words a = draw(found[0].number), b = draw(found[1].number);
    b[3] = static_cast<TokenId>(found[0].number % (vocabulary_ - gap));
    a[3] = b[3] + static_cast<TokenId>(gap);
    return Collision{{block(a, 1), block(b, 1)}, {block(a, 0), block(b, 0)}};
  }

  // The words at every fourth token from first on, the same tokens for all blocks elsewhere.
  std::vector<TokenId> block(const Words& words, std::size_t first) const {
    std::vector<TokenId> token_ids(block_size_);
    for (std::size_t i = 0; i < block_size_; ++i) token_ids[i] = draw(~i)[0];
    for (std::size_t i = 0; i < words.size(); ++i) token_ids[first + 4 * i] = words[i];
    return token_ids;
  }

  std::uint64_t vocabulary_, block_size_, start_;
};

}  // namespace kv::grader
