#include "apps/chat/pool_view.h"

#include <algorithm>

namespace kv::chat {
namespace {

char cell_of_free(const KVCacheBlock& block) {
  return block.block_hash ? 'c' : '.';
}

}  // namespace

std::string pool_cells(KVCacheManager& kv_cache_manager,
                       const std::vector<std::string>& request_ids) {
  const auto blocks = kv_cache_manager.block_pool().blocks();
  std::string cells;
  for (const KVCacheBlock& block : blocks) cells += block.ref_cnt > 0 ? '+' : cell_of_free(block);

  char letter = 'A';
  for (const std::string& id : request_ids) {
    for (const KVCacheBlock* block : kv_cache_manager.get_blocks(id).blocks())
      if (block->ref_cnt == 1) cells[static_cast<std::size_t>(block->block_id)] = letter;
    ++letter;
  }
  return cells.substr(1);
}

std::size_t num_cells(const std::string& cells, char kind) {
  return static_cast<std::size_t>(std::ranges::count(cells, kind));
}

}  // namespace kv::chat
