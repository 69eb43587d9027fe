#pragma once
// Given, for step 3.19: asks for memory that a later line will read, and does not wait for it.
// A load from main memory takes about 100 ns. Ten loads that do not depend on each other take
// little longer than one, if all are asked for before the first is needed.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "03-block-hashing/block_hash_to_block_map.h"
#include "03-block-hashing/given/prefix_store.h"
#include "03-block-hashing/prefix_table.h"
#include "kv/require.h"

namespace kv {

// Why templates: a tree may bring a table or a map of its own, with nothing to ask for.
struct LookAhead {
  class Guess {
   public:
    std::optional<PrefixId> prefix() const { return PrefixStore::as_prefix(id_); }

   private:
    friend LookAhead;
    PrefixId id_ = PrefixStore::kNoPrefix;
    bool is_made_ = false;  // by guess()
  };
  using Hashes = std::span<const BlockHash>;
  static constexpr std::size_t kNumBlocksAtOnce = 128;  // so many in one batch; more gain nothing

  // Asks for what find and intern read first for hashes[i], if there is such a hash.
  template <class Table>
  static void prefetch(const Table& table, Hashes hashes, std::size_t i) {
    if constexpr (requires { table.store_.prefetch_bucket(hashes[i]); })
      if (i < hashes.size()) table.store_.prefetch_bucket(hashes[i]);
  }
  // The same for each of hashes[first, last), and for what find and intern read next.
  template <class Table>
  static void prefetch(const Table& table, Hashes hashes, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) prefetch(table, hashes, i);
    if constexpr (requires { table.store_.prefetch_node(hashes[first]); })
      for (std::size_t i = first; i < std::min(last, hashes.size()); ++i)
        table.store_.prefetch_node(hashes[i]);
  }

  // The first prefix that may have hashes[i], if there is one: a guess, for its content is not
  // compared. Reads what prefetch asked for; asks for the guess's tokens.
  template <class Table>
  static Guess guess(const Table& table, Hashes hashes, std::size_t i) {
    Guess guess;
    guess.is_made_ = true;
    if constexpr (requires { table.store_.guess(hashes[i]); }) {
      if (i >= hashes.size()) return guess;
      guess.id_ = table.store_.guess(hashes[i]);
      table.store_.prefetch_token_ids(guess.id_);
    }
    return guess;
  }

  // Whether the guess is the prefix that PrefixTable::find would give for this content. Refuses a
  // guess that was not made.
  template <class Table>
  static bool is_right(const Table& table, Guess guess, const BlockContent& content) {
    KV_REQUIRE("a block is guessed before the guess is checked", guess.is_made_);
    if constexpr (requires { table.store_.content_of(guess.id_); })
      return guess.id_ != PrefixStore::kNoPrefix && is_same(content_of(table, guess.id_), content);
    return false;
  }
  template <class Table>
  static BlockContent content_of(const Table& table, PrefixId prefix) {
    return table.store_.content_of(prefix);
  }

  // Asks for the entry that BlockHashToBlockMap::get_one_block reads.
  template <class Map>
  static void prefetch(const Map& map, PrefixId prefix) {
    if constexpr (requires { map.oldest_.prefetch(prefix); }) map.oldest_.prefetch(prefix);
  }
};

}  // namespace kv
