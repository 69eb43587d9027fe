#pragma once
// The hash finds, the content decides. A 64-bit hash is not an identity: two blocks of 16 tokens
// with the same XXH64 are found in seconds (`collide`). Checking the tokens of the block itself is
// not enough either: with colliding A and B, the prompts [B C], [A], [A C] would serve the third
// one C's keys as computed after B. So a prefix has an identity of its own: equal tokens, equal
// extra keys and equal parents, all the way down, are one PrefixId; anything else is another.
//
//       root <-- A <-- C        nodes are shared and counted: a node lives while a cached block or
//         ^----- B <-- C'       a child holds it, so a child outlives the eviction of its parent's
//                               block and is found again when the parent is computed again
//
//   I9  Two blocks carry the same PrefixId if and only if their whole prefixes are equal.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "03-block-hashing/block_hash.h"
#include "03-block-hashing/given/prefix_nodes.h"
#include "03-block-hashing/request.h"
#include "kv/types.h"

namespace kv {

// Gives each prefix an identity. The README prints three one-line bodies with which the hash is the
// identity; the last core step of the lab rewrites exactly those.
//
// vLLM: none, its hash is the identity (SHA-256 by default, for this reason)
class PrefixTable {
 public:
  // A block's own part of its prefix, and the identity of all before it.
  struct Block {
    std::optional<PrefixId> parent;      // none for the first block
    BlockHash hash;                      // of hash_block_tokens, the chain included
    std::span<const TokenId> token_ids;  // [block_size]
    const ExtraKeys& extra_keys;
  };

  explicit PrefixTable(std::size_t block_size) : nodes_(block_size) {}

  // 3.7  The identity of a prefix that somebody holds; nullopt if nobody does.
  // Requires: the parent, if there is one, is held.
  // O(1) expected, allocates nothing.
  std::optional<PrefixId> find(const Block& block) const;

  // 3.8  The identity of a prefix, held once more; a new one if nobody holds an equal one.
  // Requires: as find. A new node holds its parent.
  // O(1) expected.
  PrefixId intern(const Block& block);

  // 3.9  Held once less. A node that nobody holds is gone, and lets go of its parent.
  // Requires: the prefix is held.
  // O(1) expected, and as long as the chain that goes with it.
  void release(PrefixId prefix);

  // Asks for the memory that find, intern and release will read first, and does not wait for it.
  // Before the first of many blocks: memory is waited for once, and not once for each. Given.
  void prefetch(BlockHash hash) const { nodes_.prefetch(hash); }
  void prefetch(std::span<const BlockHash> hashes) const { nodes_.prefetch(hashes); }

  // How many prefixes are held.
  std::size_t size() const { return nodes_.size(); }

  // find for the first num_blocks blocks of a request, one after the other, up to the first that
  // nobody holds. Looks ahead, and so waits for memory once for many blocks. Given.
  // O(prefixes found + 1) expected, allocates the vector.
  std::vector<PrefixId> find_chain(const Request& request, std::size_t num_blocks) const;

 private:
  // Given: what decides. Equal parents have equal ids, so this compares whole prefixes.
  bool is_same(const PrefixNodes::Entry& entry, const Block& block) const;

  PrefixNodes nodes_;
};

// A full block of a request, behind its parent. Given.
inline PrefixTable::Block block_of(const Request& request,
                                   std::size_t logical_block,
                                   std::optional<PrefixId> parent) {
  return {parent, request.block_hashes[logical_block], request.block_token_ids(logical_block),
          request.block_extra_keys[logical_block]};
}

}  // namespace kv
