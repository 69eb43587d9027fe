#include "01-free-queue/compact_free_queue.h"

#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

CompactFreeQueue::CompactFreeQueue(std::span<KVCacheBlock> blocks)
    : blocks_(blocks), num_free_blocks_(blocks.size()) {
  KV_REQUIRE("a compact queue holds fewer than 2^32 - 1 blocks", blocks.size() < kOutside);
  const Index num_nodes = sentinel() + 1;
  links_.resize(num_nodes);
  for (Index node = 0; node < num_nodes; ++node) {
    links_[node] = {(node + num_nodes - 1) % num_nodes, (node + 1) % num_nodes};
  }
}

CompactFreeQueue::Index CompactFreeQueue::index_of(const KVCacheBlock& block) const {
  const auto offset_bytes =
      reinterpret_cast<std::uintptr_t>(&block) - reinterpret_cast<std::uintptr_t>(blocks_.data());
  KV_REQUIRE("the block is one of the blocks the queue was built over",
             offset_bytes < blocks_.size_bytes());
  return static_cast<Index>(offset_bytes / sizeof(KVCacheBlock));
}

std::vector<KVCacheBlock*> CompactFreeQueue::get_all_free_blocks() const {
  std::vector<KVCacheBlock*> blocks;
  blocks.reserve(num_free_blocks_);
  Index node = links_[sentinel()].next;
  while (node != sentinel()) {
    blocks.push_back(&blocks_[node]);
    node = links_[node].next;
  }
  return blocks;
}

void CompactFreeQueue::remove(KVCacheBlock& block) {
  const Index node = index_of(block);
  KV_REQUIRE("remove takes a block that is in the queue", links_[node].next != kOutside);
  links_[links_[node].prev].next = links_[node].next;
  links_[links_[node].next].prev = links_[node].prev;
  links_[node].next = kOutside;
  --num_free_blocks_;
}

KVCacheBlock* CompactFreeQueue::popleft() {
  const Index head = links_[sentinel()].next;
  if (head == sentinel()) return nullptr;
  remove(blocks_[head]);
  return &blocks_[head];
}

void CompactFreeQueue::append(KVCacheBlock& block) {
  const Index node = index_of(block);
  KV_REQUIRE("append takes a block outside the queue", links_[node].next == kOutside);
  const Index tail = links_[sentinel()].prev;
  links_[tail].next = node;
  links_[node] = {tail, sentinel()};
  links_[sentinel()].prev = node;
  ++num_free_blocks_;
}

}  // namespace kv
