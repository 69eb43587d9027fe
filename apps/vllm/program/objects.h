#pragma once
// The objects of a run, which Python names by number. All stay until the program ends.

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "07-serving/scheduler.h"
#include "apps/vllm/program/calls.h"

namespace kv::vllm {

// Objects of one type, numbered from 0.
template <class Object>
class Shelf {
 public:
  template <class... Parts>
  std::size_t add(Parts&&... parts) {
    objects_.push_back(std::make_unique<Object>(std::forward<Parts>(parts)...));
    return objects_.size() - 1;
  }
  Object& at(const Json& number) { return *objects_.at(number.get<std::size_t>()); }

 private:
  std::vector<std::unique_ptr<Object>> objects_;
};

// The blocks of pools, and loose ones.
class Blocks {
 public:
  // Loose blocks, which a queue can be made of: the number of the first one.
  std::size_t make(const std::vector<BlockId>& ids) {
    std::vector<KVCacheBlock>& made = own_.emplace_back(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) made[i].block_id = ids[i];
    return add(made);
  }

  // Blocks of a pool: the number of the first one.
  std::size_t add(std::span<KVCacheBlock> blocks) {
    const std::size_t first = blocks_.size();
    for (KVCacheBlock& block : blocks) {
      numbers_[&block] = blocks_.size();
      blocks_.push_back(&block);
    }
    return first;
  }

  KVCacheBlock* at(const Json& number) const { return blocks_.at(number.get<std::size_t>()); }
  std::vector<KVCacheBlock*> all_at(const Json& numbers) const {
    std::vector<KVCacheBlock*> blocks;
    for (const Json& number : numbers) blocks.push_back(at(number));
    return blocks;
  }

  // null: no block. -1: what is none of these, as the sentinel of a queue.
  Json number(const KVCacheBlock* block) const {
    if (!block) return nullptr;
    const auto found = numbers_.find(block);
    return found == numbers_.end() ? Json(-1) : Json(found->second);
  }
  Json numbers(std::span<KVCacheBlock* const> blocks) const {
    Json all = Json::array();
    for (const KVCacheBlock* block : blocks) all.push_back(number(block));
    return all;
  }

 private:
  std::deque<std::vector<KVCacheBlock>> own_;
  std::vector<KVCacheBlock*> blocks_;  // [number]
  std::unordered_map<const KVCacheBlock*, std::size_t> numbers_;
};

class Objects {
 public:
  Blocks blocks;
  Shelf<FreeKVCacheBlockQueue> queues;
  Shelf<BlockHashToBlockMap> maps;
  Shelf<ServedRequest> requests;
  Shelf<KVCacheManager> managers;
  Shelf<Scheduler> schedulers;

  // A pool of its own, or one of a manager: its number, and that of its first block.
  Json add_pool(BlockPool& pool) {
    pools_.push_back(&pool);
    return {pools_.size() - 1, blocks.add(pool.blocks())};
  }
  BlockPool& pool(const Json& number) { return *pools_.at(number.get<std::size_t>()); }

  Shelf<BlockPool> own_pools;

 private:
  std::vector<BlockPool*> pools_;
};

template <class Value>
std::optional<Value> optional_of(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<Value>());
}

}  // namespace kv::vllm
