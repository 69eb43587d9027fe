// Lab 04: the manager. Its pool has the calls of a pool.

#include "apps/vllm/program/objects.h"

namespace kv::vllm {
namespace {

// ["new_manager", blocks, block size, max_model_len, caching, rules, events]: its number, then what
// a new pool has.
Json new_manager(Objects& objects, const Json& call) {
  const std::size_t number = objects.managers.add(
      call[1].get<std::size_t>(), call[2].get<std::size_t>(), call[3].get<std::size_t>(),
      call[4].get<bool>(), rules_named(call[5].get<std::string>()).value());
  BlockPool& pool = objects.managers.at(number).block_pool();
  if (call[6].get<bool>()) pool.enable_kv_cache_events();
  Json answer = objects.add_pool(pool);
  answer.insert(answer.begin(), number);
  return answer;
}

Json get_computed_blocks(Objects& objects, const Json& call) {
  const ComputedBlocks computed =
      objects.managers.at(call[1]).get_computed_blocks(objects.requests.at(call[2]));
  return {objects.blocks.numbers(computed.blocks), computed.num_tokens};
}

// ["allocate_slots", manager, request, new tokens, hits, lookahead, full sequence must fit]
Json allocate_slots(Objects& objects, const Json& call) {
  const std::vector<KVCacheBlock*> hits = objects.blocks.all_at(call[4]);
  const auto slots = objects.managers.at(call[1]).allocate_slots(
      objects.requests.at(call[2]), call[3].get<std::size_t>(),
      {.new_computed_blocks = hits,
       .num_lookahead_tokens = call[5].get<std::size_t>(),
       .full_sequence_must_fit = call[6].get<bool>()});
  return slots ? objects.blocks.numbers(slots->new_blocks) : Json();
}

}  // namespace

void add_manager_calls(Calls& calls) {
  calls["new_manager"] = new_manager;
  // ["set_computed", request, computed tokens, whether it reads no cache]: before a call.
  calls["set_computed"] = [](Objects& objects, const Json& call) {
    ServedRequest& request = objects.requests.at(call[1]);
    request.num_computed_tokens = call[2].get<std::size_t>();
    request.skip_reading_prefix_cache = call[3].get<bool>();
    return Json();
  };
  calls["get_computed_blocks"] = get_computed_blocks;
  calls["allocate_slots"] = allocate_slots;
  calls["free"] = [](Objects& objects, const Json& call) {
    objects.managers.at(call[1]).free(objects.requests.at(call[2]));
    return Json();
  };
  calls["get_blocks"] = [](Objects& objects, const Json& call) {
    return objects.blocks.numbers(
        objects.managers.at(call[1]).get_blocks(call[2].get<std::string>()).blocks());
  };
  calls["get_num_common_prefix_blocks"] = [](Objects& objects, const Json& call) {
    return Json(
        objects.managers.at(call[1]).get_num_common_prefix_blocks(call[2].get<std::string>()));
  };
}

}  // namespace kv::vllm
