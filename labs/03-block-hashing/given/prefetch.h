#pragma once
// Given, for step 3.19: asks for memory that a later call will read, and does not wait for it.
// A load from main memory takes about 100 ns. Ten loads that do not depend on each other take
// little longer than one, if all are asked for before the first is needed.

#include "03-block-hashing/block_hash_to_block_map.h"
#include "03-block-hashing/prefix_table.h"

namespace kv {

// Templates, because a tree may bring a table or a map of its own with nothing to ask for.
struct Prefetch {
  // The entry that PrefixTable::find reads first.
  template <class Table>
  static void prefix_entry(const Table& table, BlockHash hash) {
    if constexpr (requires { table.store_.prefetch(hash); }) table.store_.prefetch(hash);
  }

  // The tokens that PrefixTable::find compares. Waits for the entry: ask for that first.
  template <class Table>
  static void prefix_tokens(const Table& table, BlockHash hash) {
    if constexpr (requires { table.store_.prefetch_tokens(hash); })
      table.store_.prefetch_tokens(hash);
  }

  // The entry that BlockHashToBlockMap::get_one_block reads.
  template <class Map>
  static void block_entry(const Map& map, PrefixId prefix) {
    if constexpr (requires { map.oldest_.prefetch(prefix); }) map.oldest_.prefetch(prefix);
  }
};

}  // namespace kv
