#pragma once
// The hash finds, the content decides. Two different blocks of 16 tokens with the same XXH64 are
// found in seconds (`collide`), so a 64-bit hash is not an identity. The table gives each prefix
// one: an id that two prefixes share if and only if all their blocks are equal.
//
//       root <-- A <-- C        A child holds its parent, so a prefix stays while a cached block or
//         ^----- B <-- C'       a child holds it. C and C' have equal tokens and different parents:
//                               two prefixes, two ids.
//
//   I9  Two blocks carry the same PrefixId if and only if their whole prefixes are equal.

#include <cstddef>
#include <optional>

#include "03-block-hashing/block_hash.h"
#include "03-block-hashing/given/prefix_store.h"
#include "03-block-hashing/request.h"
#include "kv/types.h"

namespace kv {

// 3.7  Whether two blocks end the same prefix: equal parents, equal tokens and equal extra keys.
// Parents are compared by id. Equal ids are equal prefixes (I9), so this compares whole prefixes.
// O(tokens + extra keys), allocates nothing.
bool is_same(const BlockContent& left, const BlockContent& right);

// Which text a prefix is: an id for each. BlockHashToBlockMap says which blocks hold it.
// The README has a first form of 3.8 to 3.10, one line each, in which the hash is the identity.
// Step 3.16 writes them as this contract says.
//
// vLLM: none; there the hash is the identity (SHA-256 by default, for this reason)
class PrefixTable {
 public:
  explicit PrefixTable(std::size_t block_size) : store_(block_size) {}

  // 3.8  The id of a prefix that is held; nullopt if it is not.
  // hash: of hash_block_tokens, the chain included. Requires: the parent, if there is one, is held.
  // O(1) expected, allocates nothing.
  std::optional<PrefixId> find(BlockHash hash, const BlockContent& content) const;

  // 3.9  The id of a prefix, which is held once more now; a new id if no equal one is held. A new
  // prefix holds its parent.
  // Requires: as find.
  // O(1) expected.
  PrefixId intern(BlockHash hash, const BlockContent& content);

  // 3.10  Held once less. A prefix that nothing holds is erased, and holds its parent no longer.
  // Requires: the prefix is held.
  // O(1) expected, and O(1) for each further prefix that goes with it; with a fixed amount of
  // stack.
  void release(PrefixId prefix);

  // How many prefixes are held.
  std::size_t size() const { return store_.size(); }

 private:
  friend struct LookAhead;  // step 3.19

  PrefixStore store_;
};

}  // namespace kv
