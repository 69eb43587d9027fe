// Lab 01: loose blocks and the free queue. The map of lab 03 takes loose blocks, too.

#include "apps/vllm/program/objects.h"

namespace kv::vllm {
namespace {

Json block_at(Objects& objects, const Json& call) {
  const KVCacheBlock& block = *objects.blocks.at(call[1]);
  const Json hash = block.block_hash ? Json(*block.block_hash) : Json();
  return {block.block_id,
          block.ref_cnt,
          block.is_null,
          hash,
          objects.blocks.number(block.prev_free_block),
          objects.blocks.number(block.next_free_block)};
}

// The blocks [first, first + number) in their order.
Json new_queue(Objects& objects, const Json& call) {
  const auto num_blocks = call[2].get<std::size_t>();
  const std::span blocks(num_blocks == 0 ? nullptr : objects.blocks.at(call[1]), num_blocks);
  return objects.queues.add(blocks);
}

Json popleft_n(Objects& objects, const Json& call) {
  const auto blocks = objects.queues.at(call[1]).popleft_n(call[2].get<std::size_t>());
  return blocks ? objects.blocks.numbers(*blocks) : Json();
}

void add_changes_of_queue(Calls& calls) {
  calls["remove"] = [](Objects& objects, const Json& call) {
    objects.queues.at(call[1]).remove(*objects.blocks.at(call[2]));
    return Json();
  };
  calls["append"] = [](Objects& objects, const Json& call) {
    objects.queues.at(call[1]).append(*objects.blocks.at(call[2]));
    return Json();
  };
  calls["append_n"] = [](Objects& objects, const Json& call) {
    objects.queues.at(call[1]).append_n(objects.blocks.all_at(call[2]));
    return Json();
  };
  calls["prepend_n"] = [](Objects& objects, const Json& call) {
    objects.queues.at(call[1]).prepend_n(objects.blocks.all_at(call[2]));
    return Json();
  };
}

void add_map_calls(Calls& calls) {
  calls["new_map"] = [](Objects& objects, const Json&) { return Json(objects.maps.add()); };
  calls["map_insert"] = [](Objects& objects, const Json& call) {
    objects.maps.at(call[1]).insert(call[2].get<PrefixId>(), *objects.blocks.at(call[3]));
    return Json();
  };
  calls["map_get_one_block"] = [](Objects& objects, const Json& call) {
    return objects.blocks.number(objects.maps.at(call[1]).get_one_block(call[2].get<PrefixId>()));
  };
  calls["map_pop"] = [](Objects& objects, const Json& call) {
    return objects.blocks.number(
        objects.maps.at(call[1]).pop(call[2].get<PrefixId>(), call[3].get<BlockId>()));
  };
  calls["map_size"] = [](Objects& objects, const Json& call) {
    return Json(objects.maps.at(call[1]).size());
  };
}

}  // namespace

void add_queue_calls(Calls& calls) {
  calls["new_blocks"] = [](Objects& objects, const Json& call) {
    return Json(objects.blocks.make(call[1].get<std::vector<BlockId>>()));
  };
  calls["block"] = block_at;
  calls["new_queue"] = new_queue;
  calls["num_free_blocks"] = [](Objects& objects, const Json& call) {
    return Json(objects.queues.at(call[1]).num_free_blocks());
  };
  calls["get_all_free_blocks"] = [](Objects& objects, const Json& call) {
    return objects.blocks.numbers(objects.queues.at(call[1]).get_all_free_blocks());
  };
  calls["popleft"] = [](Objects& objects, const Json& call) {
    return objects.blocks.number(objects.queues.at(call[1]).popleft());
  };
  calls["popleft_n"] = popleft_n;
  add_changes_of_queue(calls);
  add_map_calls(calls);
}

}  // namespace kv::vllm
