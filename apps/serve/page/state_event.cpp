#include "apps/serve/page/state_event.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include "apps/serve/page/pool_call.h"

namespace kv::serve {
namespace {

using nlohmann::json;

std::string hex(BlockHash hash) {
  std::array<char, 20> text;
  std::snprintf(text.data(), text.size(), "0x%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

// "A 4/6": four of six tokens are computed.
std::string progress_of(const RequestState& request) {
  return request.name + " " + std::to_string(request.num_computed_tokens) + "/" +
         std::to_string(request.token_ids.size());
}

// In the form of an event log of ./lab, which the player draws.
json pool_of(const EngineState& state) {
  json pool = {{"free", state.free_block_ids},   {"used", json::object()},
               {"cached", json::array()},        {"hashes", json::array()},
               {"block_tables", json::object()}, {"waiting", json::array()},
               {"running", json::array()}};
  for (std::size_t id = 0; id < state.blocks.size(); ++id) {
    const BlockState& block = state.blocks[id];
    if (block.ref_cnt > 0) pool["used"][std::to_string(id)] = block.ref_cnt;
    if (!block.block_hash) continue;
    pool["cached"].push_back(id);
    pool["hashes"].push_back(hex(*block.block_hash));
  }
  for (const RequestState& request : state.requests) {
    if (request.has_ended()) continue;
    pool[request.is_running ? "running" : "waiting"].push_back(progress_of(request));
    if (!request.block_ids.empty()) pool["block_tables"][request.name] = request.block_ids;
  }
  return pool;
}

std::string words_of(const RequestState& request, bool is_output, const Speaker& speaker) {
  std::string text;
  for (std::size_t i = 0; i < request.token_ids.size(); ++i)
    if (is_output == (i >= request.num_prompt_tokens))
      text += speaker.text_of(request.token_ids[i]);
  return text;
}

json requests_of(const EngineState& state, const Speaker& speaker) {
  json requests = json::array();
  for (const RequestState& request : state.requests) {
    const char* open = request.is_running ? "running" : "waiting";
    requests.push_back({{"name", request.name},
                        {"state", request.has_ended() ? "finished" : open},
                        {"finish_reason", request.has_ended() ? json(request.end_reason) : json()},
                        {"num_prompt_tokens", request.num_prompt_tokens},
                        {"num_output_tokens", request.token_ids.size() - request.num_prompt_tokens},
                        {"num_cached_tokens", request.num_cached_tokens},
                        {"num_preemptions", request.num_preemptions},
                        {"prompt", words_of(request, false, speaker)},
                        {"output", words_of(request, true, speaker)}});
  }
  return requests;
}

// The tokens that a request had when it was admitted. After a preemption the engine does not say
// it: then those in the first blocks that were cached before.
std::size_t num_hit_tokens(const RequestState& request,
                           const EngineState& state,
                           const EngineState& earlier) {
  if (request.num_preemptions == 0) return request.num_cached_tokens;
  std::size_t num_tokens = 0;
  for (const BlockId id : request.block_ids) {
    const auto at = static_cast<std::size_t>(id);
    const auto& hash_before = earlier.blocks[at].block_hash;
    if (!hash_before || state.blocks[at].block_hash != hash_before) break;
    num_tokens += state.block_size;
  }
  return num_tokens;
}

// What the steps between two states did to requests: the tokens that each computed, its hits left
// out, and who lost its blocks to another.
void add_steps(json& event, const EngineState& state, const EngineState& earlier) {
  event["scheduled"] = json::object();
  event["preempted"] = json::array();
  for (const RequestState& request : state.requests) {
    const RequestState* before = earlier.find(request.request_id);
    const std::size_t num_before = before ? before->num_computed_tokens : 0;
    const std::size_t first =
        num_before == 0 ? num_hit_tokens(request, state, earlier) : num_before;
    if (request.num_computed_tokens > first)
      event["scheduled"][request.name] = request.num_computed_tokens - first;
    if (request.num_preemptions > (before ? before->num_preemptions : 0))
      event["preempted"].push_back(request.name);
  }
}

// By block: the requests that have it.
std::vector<std::set<std::string>> users_of(const EngineState& state) {
  std::vector<std::set<std::string>> users(state.blocks.size());
  for (const RequestState& request : state.requests)
    for (const BlockId id : request.block_ids)
      users[static_cast<std::size_t>(id)].insert(request.request_id);
  return users;
}

std::size_t num_missing(const std::set<std::string>& from, const std::set<std::string>& other) {
  return static_cast<std::size_t>(
      std::ranges::count_if(from, [&](const std::string& id) { return !other.contains(id); }));
}

// What became of the blocks. Why by their users: one that a preempted request lost and another got
// has the ref_cnt that it had.
void add_changes(json& event, const EngineState& state, const EngineState& earlier) {
  const auto users = users_of(state), users_before = users_of(earlier);
  json& changes = event["changes"] = json::object();
  for (const char* kind : {"allocated", "hit", "cached", "freed", "evicted"})
    changes[kind] = json::array();
  for (std::size_t id = 0; id < state.blocks.size(); ++id) {
    const auto &hash = state.blocks[id].block_hash, &hash_before = earlier.blocks[id].block_hash;
    const std::size_t num_new = num_missing(users[id], users_before[id]);
    const std::size_t num_gone = num_missing(users_before[id], users[id]);
    const bool is_found = hash_before && hash == hash_before;
    if (num_new > 0 && !is_found) changes["allocated"].push_back(id);
    if (num_new > (is_found ? 0 : 1)) changes["hit"].push_back(id);
    if (hash && hash != hash_before) changes["cached"].push_back(id);
    if (num_gone > 0 && num_gone == users_before[id].size()) changes["freed"].push_back(id);
    if (hash_before && hash != hash_before) changes["evicted"].push_back(id);
  }
}

}  // namespace

json event_of(const EngineState& state, const EngineState* earlier, const Speaker& speaker) {
  json event = {
      {"pool",
       {{"number", state.pool_number},
        {"num_gpu_blocks", state.blocks.size()},
        {"block_size", state.block_size},
        {"rules", name_of(state.rules)}}},
      {"pace", {{"steps_a_second", state.pace.steps_a_second}, {"paused", state.pace.is_paused}}},
      {"step", state.step},
      {"num_preemptions", state.num_preemptions},
      {"num_hit_tokens", state.num_hit_tokens},
      {"state", pool_of(state)},
      {"requests", requests_of(state, speaker)}};
  if (!earlier || earlier->pool_number != state.pool_number) return event;
  add_steps(event, state, *earlier);
  add_changes(event, state, *earlier);
  return event;
}

}  // namespace kv::serve
