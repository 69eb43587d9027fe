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
  std::vector<KVCacheBlock*> blocks;
  blocks.reserve(num_free_blocks_);
  KVCacheBlock* block = sentinel_.next_free_block;
  while (block != &sentinel_) {
    blocks.push_back(block);
    block = block->next_free_block;
  }
  return blocks;
}

void FreeKVCacheBlockQueue::remove(KVCacheBlock& block) {
  KV_REQUIRE("I6: remove takes a block that is in the queue", block.next_free_block != nullptr);
  block.prev_free_block->next_free_block = block.next_free_block;
  block.next_free_block->prev_free_block = block.prev_free_block;
  block.prev_free_block = nullptr;
  block.next_free_block = nullptr;
  --num_free_blocks_;
}

KVCacheBlock* FreeKVCacheBlockQueue::popleft() {
  KVCacheBlock* head = sentinel_.next_free_block;
  if (head == &sentinel_) return nullptr;
  remove(*head);
  return head;
}

void FreeKVCacheBlockQueue::append(KVCacheBlock& block) {
  KV_REQUIRE("I6: append takes a block outside the queue", block.next_free_block == nullptr);
  KVCacheBlock* tail = sentinel_.prev_free_block;
  tail->next_free_block = &block;
  block.prev_free_block = tail;
  block.next_free_block = &sentinel_;
  sentinel_.prev_free_block = &block;
  ++num_free_blocks_;
}

std::optional<std::vector<KVCacheBlock*>> FreeKVCacheBlockQueue::popleft_n(std::size_t num_blocks) {
  if (num_blocks > num_free_blocks_) return std::nullopt;
  std::vector<KVCacheBlock*> blocks(num_blocks);
  std::ranges::generate(blocks, [this] { return popleft(); });
  return blocks;
}

void FreeKVCacheBlockQueue::append_n(std::span<KVCacheBlock* const> blocks) {
  const std::size_t num_before = num_free_blocks_;
  try {
    for (KVCacheBlock* block : blocks) append(*block);
  } catch (const ContractViolation&) {
    // Why: all or nothing. The blocks that this call has appended are the last ones of the queue.
    while (num_free_blocks_ > num_before) remove(*sentinel_.prev_free_block);
    throw;
  }
}

void FreeKVCacheBlockQueue::prepend_n(std::span<KVCacheBlock* const> blocks) {
  KVCacheBlock* old_head = sentinel_.next_free_block;
  KVCacheBlock* old_tail = sentinel_.prev_free_block;
  append_n(blocks);
  if (old_head == &sentinel_) return;

  // In a ring, the head is where the sentinel is: it leaves its place after the last block ...
  KVCacheBlock* last = sentinel_.prev_free_block;
  last->next_free_block = old_head;
  old_head->prev_free_block = last;
  // ... and stands before the first one.
  KVCacheBlock* first = old_tail->next_free_block;
  old_tail->next_free_block = &sentinel_;
  sentinel_.prev_free_block = old_tail;
  sentinel_.next_free_block = first;
  first->prev_free_block = &sentinel_;
}

}  // namespace kv
