#include "01-free-queue/free_kv_cache_block_queue.h"

#include "kv/require.h"

namespace kv {

FreeKVCacheBlockQueue::FreeKVCacheBlockQueue(std::span<KVCacheBlock> blocks)
    : blocks_(blocks), links_(blocks.size() + 1), num_free_blocks_(blocks.size()) {
  const std::uint32_t num_places = sentinel() + 1;
  for (std::uint32_t place = 0; place < num_places; ++place) {
    links_[place] = {(place + num_places - 1) % num_places, (place + 1) % num_places};
  }
}

std::vector<KVCacheBlock*> FreeKVCacheBlockQueue::get_all_free_blocks() const {
  std::vector<KVCacheBlock*> blocks;
  for (auto place = links_.back().next; place != sentinel(); place = links_[place].next) {
    blocks.push_back(&blocks_[place]);
  }
  return blocks;
}

void FreeKVCacheBlockQueue::remove(KVCacheBlock& block) {
  Links& links = links_[place_of(block)];
  KV_REQUIRE("I6: remove takes a block that is in the queue", links.next != kOutside);
  links_[links.prev].next = links.next;
  links_[links.next].prev = links.prev;
  links = {kOutside, kOutside};
  --num_free_blocks_;
}

KVCacheBlock* FreeKVCacheBlockQueue::popleft() {
  if (num_free_blocks_ == 0) return nullptr;
  KVCacheBlock& head = blocks_[links_.back().next];
  remove(head);
  return &head;
}

void FreeKVCacheBlockQueue::append(KVCacheBlock& block) {
  const std::uint32_t place = place_of(block);
  KV_REQUIRE("I6: append takes a block outside the queue", links_[place].next == kOutside);
  const std::uint32_t tail = links_.back().prev;
  links_[place] = {tail, sentinel()};
  links_[tail].next = place;
  links_.back().prev = place;
  ++num_free_blocks_;
}

std::optional<std::vector<KVCacheBlock*>> FreeKVCacheBlockQueue::popleft_n(std::size_t num_blocks) {
  if (num_free_blocks_ < num_blocks) return std::nullopt;
  std::vector<KVCacheBlock*> blocks;
  while (blocks.size() < num_blocks) blocks.push_back(popleft());
  return blocks;
}

void FreeKVCacheBlockQueue::append_n(std::span<KVCacheBlock* const> blocks) {
  std::size_t num_done = 0;
  while (num_done < blocks.size() && links_[place_of(*blocks[num_done])].next == kOutside) {
    append(*blocks[num_done++]);
  }
  if (num_done == blocks.size()) return;
  while (num_done > 0) remove(*blocks[--num_done]);
  throw ContractViolation("I6: append_n takes blocks outside the queue, each of them once");
}

// Appends them, and moves one after the other from the tail to the head.
void FreeKVCacheBlockQueue::prepend_n(std::span<KVCacheBlock* const> blocks) {
  append_n(blocks);
  for (std::size_t i = blocks.size(); i-- > 0;) {
    remove(*blocks[i]);
    const std::uint32_t place = place_of(*blocks[i]);
    const std::uint32_t head = links_.back().next;
    links_[place] = {sentinel(), head};
    links_[head].prev = place;
    links_.back().next = place;
    ++num_free_blocks_;
  }
}

}  // namespace kv
