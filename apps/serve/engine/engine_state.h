#pragma once
// What a page shows of an engine: a copy of its state, made between two steps.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "07-serving/bench/engine_run.h"

namespace kv::serve {

// How fast the engine goes while somebody watches it. Without a watcher it never waits.
struct Pace {
  double steps_a_second = 0;  // 0: as many as it can
  bool is_paused = false;
};

struct BlockState {
  std::int32_t ref_cnt;
  std::optional<BlockHash> block_hash;
};

// The engine forgets a request that has ended; a page still shows it.
struct RequestState {
  std::string request_id;
  std::size_t num_prompt_tokens;
  std::size_t num_computed_tokens;
  std::size_t num_cached_tokens;
  std::size_t num_preemptions;
  std::vector<TokenId> token_ids;
  std::vector<BlockId> block_ids;
  std::string name = {};        // A, B ...: no other request in the state has it
  bool is_running = false;      // else it waits, or has ended
  std::string end_reason = {};  // "stop", "length" or "abort"; empty: it has not ended

  bool has_ended() const { return !end_reason.empty(); }
};

struct EngineState {
  std::size_t pool_number = 0;  // another pool has another one
  std::size_t step = 0;
  std::size_t block_size = 0;
  Rules rules = Rules::kVllm022;
  std::size_t num_preemptions = 0;
  std::size_t num_hit_tokens = 0;
  Pace pace = {};
  std::vector<BlockState> blocks = {};       // by id, with the null block
  std::vector<BlockId> free_block_ids = {};  // head first
  std::vector<RequestState> requests = {};   // waiting ones, running ones, and the last that ended

  const RequestState* find(const std::string& request_id) const;  // null: none has this id
};

// The state without what only a history says: names, and the requests that have ended.
EngineState state_of(EngineRun& run);

// Adds that. earlier: the state before; outputs: of the step between the two, or of requests that
// have ended without a step.
void add_history(EngineState& state,
                 const EngineState& earlier,
                 const std::vector<EngineCoreOutput>& outputs);

}  // namespace kv::serve
