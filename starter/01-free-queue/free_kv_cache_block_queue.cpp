#include "01-free-queue/free_kv_cache_block_queue.h"

#include <algorithm>

#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

FreeKVCacheBlockQueue::FreeKVCacheBlockQueue(std::span<KVCacheBlock> blocks)
    : num_free_blocks_(blocks.size()) {
  KVCacheBlock* tail = &sentinel_;
  for (KVCacheBlock& block : blocks) {
    tail->next_free_block = &block;
    block.prev_free_block = tail;
    tail = &block;
  }
  tail->next_free_block = &sentinel_;
  sentinel_.prev_free_block = tail;
}

std::vector<KVCacheBlock*> FreeKVCacheBlockQueue::get_all_free_blocks() const {
  KV_TODO("1.1 get_all_free_blocks");
}

void FreeKVCacheBlockQueue::remove(KVCacheBlock& block) {
  KV_REQUIRE("I6: remove takes a block that is in the queue", block.next_free_block != nullptr);
  KV_TODO("1.2 remove");
}

KVCacheBlock* FreeKVCacheBlockQueue::popleft() {
  KV_TODO("1.3 popleft");
}

void FreeKVCacheBlockQueue::append(KVCacheBlock& block) {
  KV_REQUIRE("I6: append takes a block outside the queue", block.next_free_block == nullptr);
  KV_TODO("1.4 append");
}

std::optional<std::vector<KVCacheBlock*>> FreeKVCacheBlockQueue::popleft_n(std::size_t num_blocks) {
  KV_TODO("1.5 popleft_n");
}

void FreeKVCacheBlockQueue::append_n(std::span<KVCacheBlock* const> blocks) {
  KV_TODO("1.6 append_n");
}

void FreeKVCacheBlockQueue::prepend_n(std::span<KVCacheBlock* const> blocks) {
  KV_TODO("1.11 prepend_n");
}

}  // namespace kv
