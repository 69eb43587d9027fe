#include "01-free-queue/free_kv_cache_block_queue.h"

#include "kv/require.h"

namespace kv {
namespace {

void connect(KVCacheBlock& left, KVCacheBlock& right) {
  right.prev_free_block = &left;
  left.next_free_block = &right;
}

}  // namespace

FreeKVCacheBlockQueue::FreeKVCacheBlockQueue(std::span<KVCacheBlock> blocks)
    : num_free_blocks_(blocks.size()) {
  KVCacheBlock* last = &fake_free_list_head_;
  for (KVCacheBlock& block : blocks) {
    connect(*last, block);
    last = &block;
  }
  connect(*last, fake_free_list_tail_);
}

std::vector<KVCacheBlock*> FreeKVCacheBlockQueue::get_all_free_blocks() const {
  std::vector<KVCacheBlock*> blocks;
  for (KVCacheBlock* block = fake_free_list_head_.next_free_block; block != &fake_free_list_tail_;
       block = block->next_free_block) {
    blocks.push_back(block);
  }
  return blocks;
}

void FreeKVCacheBlockQueue::remove(KVCacheBlock& block) {
  KV_REQUIRE("I6: remove takes a block that is in the queue", block.prev_free_block != nullptr);
  --num_free_blocks_;
  connect(*block.prev_free_block, *block.next_free_block);
  block.next_free_block = block.prev_free_block = nullptr;
}

KVCacheBlock* FreeKVCacheBlockQueue::popleft() {
  if (num_free_blocks_ == 0) return nullptr;
  KVCacheBlock* first = fake_free_list_head_.next_free_block;
  remove(*first);
  return first;
}

void FreeKVCacheBlockQueue::append(KVCacheBlock& block) {
  KV_REQUIRE("I6: append takes a block outside the queue", block.prev_free_block == nullptr);
  ++num_free_blocks_;
  KVCacheBlock& last = *fake_free_list_tail_.prev_free_block;
  connect(block, fake_free_list_tail_);
  connect(last, block);
}

std::optional<std::vector<KVCacheBlock*>> FreeKVCacheBlockQueue::popleft_n(std::size_t num_blocks) {
  if (num_free_blocks_ < num_blocks) return std::nullopt;
  std::vector<KVCacheBlock*> taken;
  while (taken.size() < num_blocks) taken.push_back(popleft());
  return taken;
}

namespace {

// Marks each block with a link to itself, so that a block listed twice is found before any append.
void require_outside(std::span<KVCacheBlock* const> blocks) {
  std::size_t num_marked = 0;
  while (num_marked < blocks.size() && blocks[num_marked]->prev_free_block == nullptr) {
    blocks[num_marked]->prev_free_block = blocks[num_marked];
    ++num_marked;
  }
  for (std::size_t i = 0; i < num_marked; ++i) blocks[i]->prev_free_block = nullptr;
  KV_REQUIRE("I6: a list has blocks outside the queue, each once", num_marked == blocks.size());
}

}  // namespace

void FreeKVCacheBlockQueue::append_n(std::span<KVCacheBlock* const> blocks) {
  require_outside(blocks);
  for (KVCacheBlock* block : blocks) append(*block);
}

void FreeKVCacheBlockQueue::prepend_n(std::span<KVCacheBlock* const> blocks) {
  require_outside(blocks);
  KVCacheBlock* last = &fake_free_list_head_;
  KVCacheBlock* first = last->next_free_block;
  for (KVCacheBlock* block : blocks) {
    connect(*last, *block);
    last = block;
  }
  connect(*last, *first);
  num_free_blocks_ += blocks.size();
}

}  // namespace kv
