#pragma once
// Runs an engine step by step, and counts what one sees from outside.

#include <algorithm>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "07-serving/engine.h"

namespace kv {

class EngineRun {
 public:
  EngineRun(const LlamaModel& model, const EngineConfig& config) : engine_(model, config) {}

  void add_request(ServedRequest request) {
    const std::string id = request.request_id;
    engine_.scheduler().add_request(std::move(request));
    follow(id);
  }
  // Whether there is a child now.
  bool fork_request(const std::string& parent_id,
                    const std::string& child_id,
                    const SamplingParams& sampling_params) {
    Scheduler& scheduler = engine_.scheduler();
    if (!scheduler.fork_request(parent_id, child_id, sampling_params)) return false;
    follow(child_id);
    num_shared_tokens_ += scheduler.request(child_id).num_computed_tokens;
    return true;
  }
  bool has_requests() const { return engine_.has_requests(); }
  Engine& engine() { return engine_; }

  // An id without a request changes nothing.
  void abort(const std::string& request_id) {
    if (!engine_.scheduler().has_request(request_id)) return;
    num_held_tokens_ += engine_.scheduler().request(request_id).num_computed_tokens;
    followed_.erase(request_id);
    num_idle_steps_ = 0;  // Why: those of a long prompt that nobody waits for any more
    engine_.scheduler().finish_requests({&request_id, 1});
  }
  void abort_all() {
    while (!followed_.empty()) abort(std::string(followed_.begin()->first));
  }

  // Throws std::runtime_error after many steps without a token. O(running), beside the engine's.
  std::vector<EngineCoreOutput> step() {
    const std::vector<Computed> before = computed();
    std::vector<EngineCoreOutput> outputs = engine_.step();

    num_idle_steps_ = outputs.empty() ? num_idle_steps_ + 1 : 0;
    if (num_idle_steps_ > 1000) throw std::runtime_error("1000 steps, and no request got a token");

    ++num_steps_;
    count_preempted(before);
    for (const EngineCoreOutput& output : outputs) count_output(output);
    return outputs;
  }

  std::size_t num_steps() const { return num_steps_; }
  std::size_t num_output_tokens() const { return num_output_tokens_; }
  std::size_t num_computed_tokens() const { return engine_.num_computed_tokens(); }
  std::size_t num_preemptions() const { return num_preemptions_; }
  // The most steps from one token of a request to its next one, or until its first one.
  std::size_t longest_gap() const { return longest_gap_; }
  std::uint64_t logits_hash() const { return engine_.logits_hash(); }
  // Tokens that forks had from their parents.
  std::size_t num_shared_tokens() const { return num_shared_tokens_; }
  // Tokens that requests found in the cache when they were admitted.
  std::size_t num_hit_tokens() {
    std::size_t num_held = num_held_tokens_;
    for (const auto& [request_id, num_tokens] : computed()) num_held += num_tokens;
    return num_held - std::min(num_held, num_computed_tokens() + num_shared_tokens_);
  }

 private:
  // What a running request has in the cache.
  struct Computed {
    std::string request_id;
    std::size_t num_tokens;
  };
  // What outputs have said of a request.
  struct Followed {
    std::size_t last_token_at;  // the step; at first, when it was added
    std::size_t num_tokens;     // prompt and output
  };

  // Requires: the scheduler has taken it. Why: abort_all goes on until none is followed.
  void follow(const std::string& request_id) {
    const ServedRequest& request = engine_.scheduler().request(request_id);
    followed_[request_id] = {num_steps_, request.token_ids.size()};
  }

  std::vector<Computed> computed() {
    std::vector<Computed> result;
    for (const ServedRequest* request : engine_.scheduler().running())
      result.push_back({request->request_id, request->num_computed_tokens});
    return result;
  }

  // Those that ran before the step, are still there, and do not run any more.
  void count_preempted(const std::vector<Computed>& before) {
    const Scheduler& scheduler = engine_.scheduler();
    for (const auto& [request_id, num_tokens] : before) {
      if (!scheduler.has_request(request_id) ||
          scheduler.request(request_id).status == RequestStatus::kRunning)
        continue;
      ++num_preemptions_;
      num_held_tokens_ += num_tokens;
    }
  }

  void count_output(const EngineCoreOutput& output) {
    num_output_tokens_ += output.new_token_ids.size();
    Followed& followed = followed_[output.request_id];
    longest_gap_ = std::max(longest_gap_, num_steps_ - followed.last_token_at);
    followed.last_token_at = num_steps_;
    if (!output.finish_reason) {
      followed.num_tokens += output.new_token_ids.size();
      return;
    }
    num_held_tokens_ += followed.num_tokens;  // as far as it has computed
    followed_.erase(output.request_id);
  }

  Engine engine_;
  std::size_t num_steps_ = 0;
  std::size_t num_idle_steps_ = 0;
  std::size_t num_output_tokens_ = 0;
  std::size_t num_preemptions_ = 0;
  std::size_t num_held_tokens_ = 0;  // that requests had in the cache when they lost their blocks
  std::size_t num_shared_tokens_ = 0;
  std::size_t longest_gap_ = 0;
  std::map<std::string, Followed> followed_;
};

}  // namespace kv
