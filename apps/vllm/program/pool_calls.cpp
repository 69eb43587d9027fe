// Labs 02 and 03: the pool. A pool of a manager has its calls, too.

#include <algorithm>

#include "apps/vllm/program/objects.h"

namespace kv::vllm {
namespace {

// A block that is cached under this hash: lab 03 finds by prefix, vLLM by hash.
const KVCacheBlock* cached_under(BlockPool& pool, BlockHash hash) {
  const auto blocks = pool.blocks();
  const auto found = std::ranges::find(blocks, std::optional(hash), &KVCacheBlock::block_hash);
  return found == blocks.end() ? nullptr : pool.get_cached_block(found->prefix_id);
}

Json json_of(const KVCacheEvent& event) {
  if (const auto* stored = std::get_if<BlockStored>(&event)) {
    const auto& parent = stored->parent_block_hash;
    return {"stored",          stored->block_hashes, parent ? Json(*parent) : Json(),
            stored->token_ids, stored->block_size,   stored->lora_name};
  }
  if (const auto* removed = std::get_if<BlockRemoved>(&event))
    return {"removed", removed->block_hash};
  return {"cleared"};
}

// ["new_pool", blocks, block size, caching, events, blocks without a hash first]
Json new_pool(Objects& objects, const Json& call) {
  const auto order =
      call[5].get<bool>() ? EvictionOrder::kUnhashedFirst : EvictionOrder::kFreedFirst;
  const std::size_t number = objects.own_pools.add(
      call[1].get<std::size_t>(), call[2].get<std::size_t>(), call[3].get<bool>(), order);
  BlockPool& pool = objects.own_pools.at(number);
  if (call[4].get<bool>()) pool.enable_kv_cache_events();
  return objects.add_pool(pool);
}

Json get_new_blocks(Objects& objects, const Json& call) {
  const auto blocks = objects.pool(call[1]).get_new_blocks(call[2].get<std::size_t>());
  return blocks ? objects.blocks.numbers(*blocks) : Json();
}

// ["cache_full_blocks", pool, request, blocks, cached, full]
Json cache_full_blocks(Objects& objects, const Json& call) {
  objects.pool(call[1]).cache_full_blocks(objects.requests.at(call[2]),
                                          objects.blocks.all_at(call[3]),
                                          call[4].get<std::size_t>(), call[5].get<std::size_t>());
  return Json();
}

Json take_events(Objects& objects, const Json& call) {
  Json events = Json::array();
  for (const KVCacheEvent& event : objects.pool(call[1]).take_events())
    events.push_back(json_of(event));
  return events;
}

void add_lab_02_calls(Calls& calls) {
  calls["new_pool"] = new_pool;
  calls["pool_free_blocks"] = [](Objects& objects, const Json& call) {
    return objects.blocks.numbers(objects.pool(call[1]).free_block_queue().get_all_free_blocks());
  };
  calls["get_num_free_blocks"] = [](Objects& objects, const Json& call) {
    return Json(objects.pool(call[1]).get_num_free_blocks());
  };
  calls["get_new_blocks"] = get_new_blocks;
  calls["touch"] = [](Objects& objects, const Json& call) {
    objects.pool(call[1]).touch(objects.blocks.all_at(call[2]));
    return Json();
  };
  calls["free_blocks"] = [](Objects& objects, const Json& call) {
    objects.pool(call[1]).free_blocks(objects.blocks.all_at(call[2]));
    return Json();
  };
  calls["get_usage"] = [](Objects& objects, const Json& call) {
    return Json(objects.pool(call[1]).get_usage());
  };
}

}  // namespace

void add_pool_calls(Calls& calls) {
  add_lab_02_calls(calls);
  calls["cache_full_blocks"] = cache_full_blocks;
  calls["get_cached_block"] = [](Objects& objects, const Json& call) {
    return objects.blocks.number(cached_under(objects.pool(call[1]), call[2].get<BlockHash>()));
  };
  calls["maybe_evict_cached_block"] = [](Objects& objects, const Json& call) {
    return Json(objects.pool(call[1]).maybe_evict_cached_block(*objects.blocks.at(call[2])));
  };
  calls["evict_blocks"] = [](Objects& objects, const Json& call) {
    objects.pool(call[1]).evict_blocks(call[2].get<std::vector<BlockId>>());
    return Json();
  };
  calls["reset_prefix_cache"] = [](Objects& objects, const Json& call) {
    return Json(objects.pool(call[1]).reset_prefix_cache());
  };
  calls["take_events"] = take_events;
}

}  // namespace kv::vllm
