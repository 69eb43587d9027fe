#include <algorithm>
#include <array>

#include "02-block-pool/block_pool.h"
#include "03-block-hashing/given/look_ahead.h"
#include "kv/todo.h"

namespace kv {

std::vector<KVCacheBlock*> BlockPool::find_longest_cache_hit_ahead(
    const Request& request, std::size_t max_num_tokens) const {
  KV_TODO("3.19 find_longest_cache_hit_ahead");
}

}  // namespace kv
