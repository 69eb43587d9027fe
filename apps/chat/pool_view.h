#pragma once
// The pool as text: a cell for each block.

#include <string>
#include <vector>

#include "04-kv-cache-manager/kv_cache_manager.h"

namespace kv::chat {

// A cell for each block but the null block, in the order of their ids:
//
//   A, B ...   a block of this request alone        c   free, and the prefix cache finds it
//   +          a block of several requests          .   free
//
// request_ids: those that have letters, in their order.
std::string pool_cells(KVCacheManager& kv_cache_manager,
                       const std::vector<std::string>& request_ids);

// How many cells are of a kind: "+" for shared ones.
std::size_t num_cells(const std::string& cells, char kind);

}  // namespace kv::chat
