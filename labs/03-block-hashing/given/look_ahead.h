#pragma once
// Given, for step 3.19: asks for memory that a later line will read, and does not wait for it.
// A load from main memory takes about 100 ns. Ten loads that do not depend on each other take
// little longer than one, if all are asked for before the first is needed.

#include "03-block-hashing/block_hash_to_block_map.h"
#include "03-block-hashing/given/prefix_store.h"
#include "03-block-hashing/prefix_table.h"

namespace kv {

// Why templates: a tree may bring a table or a map of its own, with nothing to ask for.
struct LookAhead {
  using Guess = const PrefixStore::Entry*;

  // Asks for the entry that find and intern read first.
  template <class Table>
  static void prefetch(const Table& table, BlockHash hash) {
    if constexpr (requires { table.store_.prefetch(hash); }) table.store_.prefetch(hash);
  }

  // The first prefix that may have this hash, nullptr if there is none: a guess, for its content is
  // not compared. Reads what prefetch has asked for; asks for the tokens that `find` compares.
  template <class Table>
  static Guess guess(const Table& table, BlockHash hash) {
    if constexpr (requires { table.store_.guess(hash); }) return table.store_.guess(hash);
    return nullptr;
  }

  // Whether the guess is the prefix that PrefixTable::find would give for this content.
  template <class Table>
  static bool is_right(const Table& table, Guess guess, const BlockContent& content) {
    if constexpr (requires { table.store_.content_of(*guess); })
      return guess != nullptr && is_same(table.store_.content_of(*guess), content);
    return false;
  }

  // Asks for the entry that BlockHashToBlockMap::get_one_block reads.
  template <class Map>
  static void prefetch_block(const Map& map, PrefixId prefix) {
    if constexpr (requires { map.oldest_.prefetch(prefix); }) map.oldest_.prefetch(prefix);
  }
};

}  // namespace kv
