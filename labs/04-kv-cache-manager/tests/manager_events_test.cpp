// What the cache says to those outside, when a manager fills and empties it: a router of requests
// learns from these events which server has which text.

#include "04-kv-cache-manager/tests/recorded_manager.h"

namespace kv::grader {
namespace {

using Events = std::vector<KVCacheEvent>;

// "stored 2, removed 1, cleared", with the number of blocks.
std::string draw_events(const Events& events) {
  std::string text;
  for (const KVCacheEvent& event : events) {
    text += text.empty() ? "" : ", ";
    if (const auto* stored = std::get_if<BlockStored>(&event))
      text += "stored " + std::to_string(stored->block_hashes.size()) +
              (stored->parent_block_hash ? " after another" : "");
    else
      text += std::holds_alternative<BlockRemoved>(event) ? "removed 1" : "cleared";
  }
  return text.empty() ? "no event" : text;
}

// Blocks of one text that are stored one after the other count as stored together: no contract says
// whether a call of allocate_slots is one event.
Events joined(const Events& events) {
  Events result;
  for (const KVCacheEvent& event : events) {
    const auto* next = std::get_if<BlockStored>(&event);
    auto* last = result.empty() ? nullptr : std::get_if<BlockStored>(&result.back());
    if (next == nullptr || last == nullptr ||
        next->parent_block_hash != last->block_hashes.back()) {
      result.push_back(event);
      continue;
    }
    last->block_hashes.insert(last->block_hashes.end(), next->block_hashes.begin(),
                              next->block_hashes.end());
    last->token_ids.insert(last->token_ids.end(), next->token_ids.begin(), next->token_ids.end());
  }
  return result;
}

void expect_events(RecordedManager& manager, const Events& expected) {
  log_step({"take_events()", "take_events()"});
  const Events yours = joined(manager.raw().take_events());
  if (yours == expected) return;
  ADD_FAILURE() << "expected take_events() to give " << draw_events(expected) << ", yours gave "
                << draw_events(yours)
                << (draw_events(expected) == draw_events(yours) ? " with other hashes" : "");
}

BlockStored stored(const Request& request, std::size_t first, std::size_t last) {
  const auto hash = [&](std::size_t i) { return request.block_hashes[i]; };
  BlockStored event{.block_hashes = {},
                    .parent_block_hash = {},
                    .token_ids = {},
                    .block_size = request.block_size,
                    .lora_name = ""};
  if (first > 0) event.parent_block_hash = hash(first - 1);
  for (std::size_t i = first; i < last; ++i) {
    event.block_hashes.push_back(hash(i));
    const auto tokens = request.block_token_ids(i);
    event.token_ids.insert(event.token_ids.end(), tokens.begin(), tokens.end());
  }
  return event;
}

TEST(ManagerEvents, OfARequestFromBeginningToEnd) {
  SPEC("what is cached is stored once, after its parent, and removed when its block is reused",
       "4.7 free", "the last block first");
  RecordedManager manager({4, 2});
  manager.pool().enable_kv_cache_events();
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_allocated("A", 5, Ids{1, 2, 3});
  expect_events(manager, {stored(manager.request("A"), 0, 2)});
  manager.compute("A", 5);
  manager.append("A", {6});
  manager.expect_allocated("A", 1, Ids{});
  expect_events(manager, {stored(manager.request("A"), 2, 3)});
  manager.free("A");
  expect_events(manager, {});
  manager.admit("B", {1, 2, 9});
  manager.expect_allocated("B", 1, Ids{3}, {.hits = {1}});
  expect_events(manager, {BlockRemoved{manager.request("A").block_hashes[2]}});
  manager.free("B");
  manager.expect_reset(true);
  expect_events(manager, {AllBlocksCleared{}});
}

}  // namespace
}  // namespace kv::grader
