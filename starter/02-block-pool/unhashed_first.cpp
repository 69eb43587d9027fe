#include <vector>

#include "02-block-pool/block_pool.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

void BlockPool::free_unhashed_first(std::span<KVCacheBlock* const> ordered_blocks) {
  KV_TODO("2.6 free_unhashed_first");
}

}  // namespace kv
