#pragma once
// A fake node is before the first block and another after the last, as in vLLM.

#include <cstddef>
#include <optional>
#include <span>
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
  KVCacheBlock fake_free_list_head_;
  KVCacheBlock fake_free_list_tail_;
  std::size_t num_free_blocks_;
};

}  // namespace kv
