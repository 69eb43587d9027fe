#include "01-free-queue/free_kv_cache_block_queue.h"

#include "kv/require.h"

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

// Walks from the tail to the head, and fills the vector from its end.
std::vector<KVCacheBlock*> FreeKVCacheBlockQueue::get_all_free_blocks() const {
  std::vector<KVCacheBlock*> blocks(num_free_blocks_);
  auto place = blocks.rbegin();
  for (auto* block = sentinel_.prev_free_block; block != &sentinel_; block = block->prev_free_block)
    *place++ = block;
  return blocks;
}

void FreeKVCacheBlockQueue::remove(KVCacheBlock& block) {
  KV_REQUIRE("I6: remove takes a block that is in the queue", block.prev_free_block != nullptr);
  --num_free_blocks_;
  KVCacheBlock* next = block.next_free_block;
  KVCacheBlock* prev = block.prev_free_block;
  block.next_free_block = block.prev_free_block = nullptr;
  next->prev_free_block = prev;
  prev->next_free_block = next;
}

KVCacheBlock* FreeKVCacheBlockQueue::popleft() {
  if (num_free_blocks_ == 0) return nullptr;
  KVCacheBlock& head = *sentinel_.next_free_block;
  remove(head);
  return &head;
}

void FreeKVCacheBlockQueue::append(KVCacheBlock& block) {
  KV_REQUIRE("I6: append takes a block outside the queue", block.prev_free_block == nullptr);
  ++num_free_blocks_;
  block.next_free_block = &sentinel_;
  block.prev_free_block = sentinel_.prev_free_block;
  sentinel_.prev_free_block = block.prev_free_block->next_free_block = &block;
}

// Takes the whole run out in one piece.
std::optional<std::vector<KVCacheBlock*>> FreeKVCacheBlockQueue::popleft_n(std::size_t num_blocks) {
  if (num_blocks > num_free_blocks_) return std::nullopt;
  std::vector<KVCacheBlock*> blocks;
  KVCacheBlock* rest = sentinel_.next_free_block;
  while (blocks.size() < num_blocks) {
    KVCacheBlock& block = *rest;
    rest = block.next_free_block;
    block.prev_free_block = block.next_free_block = nullptr;
    blocks.push_back(&block);
  }
  sentinel_.next_free_block = rest;
  rest->prev_free_block = &sentinel_;
  num_free_blocks_ -= num_blocks;
  return blocks;
}

// Links the whole run first, and joins it to the queue when no block was refused.
void FreeKVCacheBlockQueue::append_n(std::span<KVCacheBlock* const> blocks) {
  KVCacheBlock* last = sentinel_.prev_free_block;
  std::size_t num_linked = 0;
  for (KVCacheBlock* block : blocks) {
    if (block->prev_free_block != nullptr) break;
    block->prev_free_block = last;
    last = block;
    ++num_linked;
  }
  if (num_linked < blocks.size()) {
    for (KVCacheBlock* block : blocks.first(num_linked)) block->prev_free_block = nullptr;
    throw ContractViolation("I6: append_n takes blocks outside the queue, each of them once");
  }
  for (KVCacheBlock* block : blocks) block->prev_free_block->next_free_block = block;
  last->next_free_block = &sentinel_;
  sentinel_.prev_free_block = last;
  num_free_blocks_ += num_linked;
}

// From the last to the first, each at the head.
void FreeKVCacheBlockQueue::prepend_n(std::span<KVCacheBlock* const> blocks) {
  std::size_t num_left = blocks.size();
  while (num_left > 0 && blocks[num_left - 1]->prev_free_block == nullptr) {
    KVCacheBlock* block = blocks[--num_left];
    block->next_free_block = sentinel_.next_free_block;
    block->prev_free_block = &sentinel_;
    block->next_free_block->prev_free_block = block;
    sentinel_.next_free_block = block;
    ++num_free_blocks_;
  }
  if (num_left == 0) return;
  for (KVCacheBlock* block : blocks.subspan(num_left)) remove(*block);
  throw ContractViolation("I6: prepend_n takes blocks outside the queue, each of them once");
}

}  // namespace kv
