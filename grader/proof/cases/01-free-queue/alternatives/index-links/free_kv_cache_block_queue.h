#pragma once
// The links are indices in an array of their own; the links inside the blocks stay null.

#include <cstddef>
#include <cstdint>
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
  // The place of a block is its distance from the first; the last place is the sentinel.
  struct Links {
    std::uint32_t prev, next;
  };
  static constexpr std::uint32_t kOutside = UINT32_MAX;

  std::uint32_t place_of(const KVCacheBlock& block) const {
    return static_cast<std::uint32_t>(&block - blocks_.data());
  }
  std::uint32_t sentinel() const { return static_cast<std::uint32_t>(blocks_.size()); }

  std::span<KVCacheBlock> blocks_;
  std::vector<Links> links_;  // [blocks, and the sentinel]
  std::size_t num_free_blocks_;
};

}  // namespace kv
