#include "apps/serve/engine/engine_state.h"

#include <algorithm>
#include <set>

namespace kv::serve {
namespace {

constexpr std::size_t kMostEnded = 32;  // that are still shown

RequestState state_of_request(const ServedRequest& request, Engine& engine) {
  RequestState state{.request_id = request.request_id,
                     .num_prompt_tokens = request.num_prompt_tokens,
                     .num_computed_tokens = request.num_computed_tokens,
                     .num_cached_tokens = request.num_cached_tokens,
                     .num_preemptions = request.num_preemptions,
                     .token_ids = request.token_ids,
                     .block_ids = {}};
  for (const KVCacheBlock* block :
       engine.kv_cache_manager().get_blocks(request.request_id).blocks())
    state.block_ids.push_back(block->block_id);
  return state;
}

// A to Z, then A2 to Z2, and so on.
std::string letters_of(std::size_t number) {
  const std::string letter(1, static_cast<char>('A' + number % 26));
  return number < 26 ? letter : letter + std::to_string(number / 26 + 1);
}

// What became of a request that is no longer there. One that ends between two steps gets no tokens.
RequestState ended(RequestState request, const std::vector<EngineCoreOutput>& outputs) {
  request.block_ids.clear();
  request.is_running = false;
  request.end_reason = "abort";
  const auto last = std::ranges::find(outputs, request.request_id, &EngineCoreOutput::request_id);
  if (last == outputs.end() || !last->finish_reason) return request;

  request.end_reason = *last->finish_reason == FinishReason::kStop ? "stop" : "length";
  const std::vector<TokenId>& tokens = last->new_token_ids;
  if (tokens.empty()) return request;
  request.num_computed_tokens = request.token_ids.size() + tokens.size() - 1;
  request.token_ids.insert(request.token_ids.end(), tokens.begin(), tokens.end());
  return request;
}

void name_requests(EngineState& state, const EngineState& earlier) {
  std::set<std::string> names;
  for (RequestState& request : state.requests) {
    const RequestState* known = earlier.find(request.request_id);
    if (known && request.name.empty()) request.name = known->name;
    names.insert(request.name);
  }
  std::size_t number = 0;
  for (RequestState& request : state.requests) {
    while (request.name.empty() && names.contains(letters_of(number))) ++number;
    if (request.name.empty()) names.insert(request.name = letters_of(number));
  }
}

}  // namespace

const RequestState* EngineState::find(const std::string& request_id) const {
  const auto found = std::ranges::find(requests, request_id, &RequestState::request_id);
  return found == requests.end() ? nullptr : &*found;
}

EngineState state_of(EngineRun& run) {
  Engine& engine = run.engine();
  BlockPool& pool = engine.kv_cache_manager().block_pool();
  EngineState state{.step = run.num_steps(),
                    .block_size = engine.block_size(),
                    .rules = engine.kv_cache_manager().rules(),
                    .num_preemptions = run.num_preemptions(),
                    .num_hit_tokens = run.num_hit_tokens()};
  for (const KVCacheBlock& block : pool.blocks())
    state.blocks.push_back({block.ref_cnt, block.block_hash});
  for (const KVCacheBlock* block : pool.free_block_queue().get_all_free_blocks())
    state.free_block_ids.push_back(block->block_id);
  for (const ServedRequest* request : engine.scheduler().waiting())
    state.requests.push_back(state_of_request(*request, engine));
  for (const ServedRequest* request : engine.scheduler().running()) {
    state.requests.push_back(state_of_request(*request, engine));
    state.requests.back().is_running = true;
  }
  return state;
}

// When requests come after all others have ended, those are forgotten: letters begin with A again.
void add_history(EngineState& state,
                 const EngineState& earlier,
                 const std::vector<EngineCoreOutput>& outputs) {
  const bool begins =
      !state.requests.empty() && std::ranges::all_of(earlier.requests, &RequestState::has_ended);
  std::vector<RequestState> last;
  if (!begins)
    std::ranges::copy_if(earlier.requests, std::back_inserter(last), &RequestState::has_ended);
  for (const RequestState& request : earlier.requests)
    if (!request.has_ended() && !state.find(request.request_id))
      last.push_back(ended(request, outputs));
  const std::size_t num_left_out = last.size() - std::min(last.size(), kMostEnded);
  state.requests.insert(state.requests.end(),
                        last.begin() + static_cast<std::ptrdiff_t>(num_left_out), last.end());
  name_requests(state, earlier);
}

}  // namespace kv::serve
