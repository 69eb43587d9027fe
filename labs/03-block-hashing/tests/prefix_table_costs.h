#pragma once
// What the steps of a prefix table cost when many prefixes are held: each after the one before, or
// all after one, as the prompts of a service that begin with the same instructions.

#include <optional>
#include <string>
#include <vector>

#include "03-block-hashing/prefix_table.h"
#include "grader/harness/cost.h"

namespace kv::grader {

// A copy of this key needs memory of its own.
inline const ExtraKeys kLongKey = {"lora=" + std::string(60, 'a')};

inline Cost cost_of_each_hashed(std::size_t num_tokens) {
  const std::vector<TokenId> tokens(num_tokens, 1);
  hash_block_tokens(1, tokens, kLongKey);  // its memory is there now
  return share(cost_of([&] { hash_block_tokens(1, tokens, kLongKey); }), num_tokens);
}

inline Cost cost_of_each_compared(std::size_t num_tokens) {
  const std::vector<TokenId> left(num_tokens, 1), right = left;
  const ExtraKeys no_keys;
  return share(cost_of([&] {
                 is_same({std::nullopt, left, no_keys}, {std::nullopt, right, no_keys});
               }),
               num_tokens);
}

inline Cost cost_of_each_key_compared(std::size_t num_keys) {
  const std::vector<TokenId> tokens(16, 1);
  const ExtraKeys left(num_keys, "image=0123456789abcdef@0"), right = left;
  return share(cost_of([&] {
                 is_same({std::nullopt, tokens, left}, {std::nullopt, tokens, right});
               }),
               num_keys);
}

enum class Shape { kChain, kSiblings };

// Each of one token more than the one before, or than the first. Each is held once.
template <Shape kShape>
struct ManyPrefixes {
  explicit ManyPrefixes(std::size_t num_prefixes) {
    std::optional<BlockHash> parent_hash;
    for (std::size_t i = 0; i < num_prefixes; ++i) {
      if (i == 1 || (i > 1 && kShape == Shape::kChain)) {
        parent = last;
        parent_hash = hash;
      }
      token = static_cast<TokenId>(i);
      hash = hash_block_tokens(parent_hash, {&token, 1}, kLongKey);
      last = table.intern(hash, content());
    }
  }

  BlockContent content() const { return {parent, {&token, 1}, kLongKey}; }

  PrefixTable table{1};
  std::optional<PrefixId> parent, last;  // of the last one
  BlockHash hash = 0;
  TokenId token = 0;
};

template <Shape kShape>
Cost cost_of_finding_a_prefix(std::size_t num_prefixes) {
  ManyPrefixes<kShape> held(num_prefixes);
  return cost_of([&] { held.table.find(held.hash, held.content()); });
}

template <Shape kShape>
Cost cost_of_interning(std::size_t num_prefixes) {
  ManyPrefixes<kShape> held(num_prefixes);
  return cost_of([&] { held.table.intern(held.hash, held.content()); });
}

template <Shape kShape>
Cost cost_of_releasing(std::size_t num_prefixes) {
  ManyPrefixes<kShape> held(num_prefixes);
  return cost_of([&] { held.table.release(*held.last); });
}

inline const CostProbe kEachHashedCost{"hash_block_tokens(), for each token,", "tokens",
                                       cost_of_each_hashed, Memory::kNone, 2'000};
inline const CostProbe kEachComparedCost{"is_same(), for each token,", "tokens",
                                         cost_of_each_compared, Memory::kNone, 2'000};
inline const CostProbe kEachKeyComparedCost{"is_same(), for each extra key,", "extra keys",
                                            cost_of_each_key_compared, Memory::kNone, 2'000};
inline const CostProbe kFindPrefixCost{"find()", "prefixes held",
                                       cost_of_finding_a_prefix<Shape::kChain>};
inline const CostProbe kInternCost{"intern() of a prefix that is held", "prefixes held",
                                   cost_of_interning<Shape::kChain>, Memory::kMayBeAskedFor};
inline const CostProbe kReleaseCost{"release()", "prefixes held", cost_of_releasing<Shape::kChain>,
                                    Memory::kMayBeAskedFor};
inline const CostProbe kFindSiblingCost{"find()", "prefixes after the same one",
                                        cost_of_finding_a_prefix<Shape::kSiblings>, Memory::kNone,
                                        2'000};
inline const CostProbe kInternSiblingCost{
    "intern() of a prefix that is held", "prefixes after the same one",
    cost_of_interning<Shape::kSiblings>, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kReleaseSiblingCost{"release()", "prefixes after the same one",
                                           cost_of_releasing<Shape::kSiblings>,
                                           Memory::kMayBeAskedFor, 2'000};

}  // namespace kv::grader
