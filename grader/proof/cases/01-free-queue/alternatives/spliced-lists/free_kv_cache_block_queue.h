#pragma once
// Standard containers only: two lists, and a map from each block to its list node.

#include <cstddef>
#include <list>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "01-free-queue/kv_cache_block.h"

namespace kv {

class FreeKVCacheBlockQueue {
 public:
  explicit FreeKVCacheBlockQueue(std::span<KVCacheBlock> blocks);
  FreeKVCacheBlockQueue(const FreeKVCacheBlockQueue&) = delete;
  FreeKVCacheBlockQueue& operator=(const FreeKVCacheBlockQueue&) = delete;

  std::size_t num_free_blocks() const { return num_free_blocks_; }

  std::vector<KVCacheBlock*> get_all_free_blocks() const;
  void remove(KVCacheBlock& block);
  KVCacheBlock* popleft();
  void append(KVCacheBlock& block);
  std::optional<std::vector<KVCacheBlock*>> popleft_n(std::size_t num_blocks);
  void append_n(std::span<KVCacheBlock* const> blocks);
  void prepend_n(std::span<KVCacheBlock* const> blocks);

 private:
  using List = std::list<KVCacheBlock*>;
  struct Place {
    List::iterator node;
    bool is_free;
  };
  Place& place_of(const KVCacheBlock& block) { return places_.at(&block); }

  List free_;
  List outside_;  // the nodes of blocks in use: moving a node between lists allocates nothing
  std::unordered_map<const KVCacheBlock*, Place> places_;
  std::size_t num_free_blocks_;
};

}  // namespace kv
