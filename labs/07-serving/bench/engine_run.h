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
    last_token_at_[request.request_id] = num_steps_;
    engine_.scheduler().add_request(std::move(request));
  }
  // Whether there is a child now.
  bool fork_request(const std::string& parent_id,
                    const std::string& child_id,
                    const SamplingParams& sampling_params) {
    Scheduler& scheduler = engine_.scheduler();
    if (!scheduler.fork_request(parent_id, child_id, sampling_params)) return false;
    last_token_at_[child_id] = num_steps_;
    num_shared_tokens_ += scheduler.request(child_id).num_computed_tokens;
    return true;
  }
  bool has_requests() const { return engine_.has_requests(); }
  Engine& engine() { return engine_; }

  // An id without a request changes nothing.
  void abort(const std::string& request_id) {
    if (!engine_.scheduler().has_request(request_id)) return;
    num_held_tokens_ += engine_.scheduler().request(request_id).num_computed_tokens;
    last_token_at_.erase(request_id);
    engine_.scheduler().finish_requests({&request_id, 1});
  }
  void abort_all() {
    for (const auto& [request_id, at] : standing()) abort(request_id);
  }

  // Throws std::runtime_error after many steps without a token.
  std::vector<EngineCoreOutput> step() {
    const std::map<std::string, Standing> before = standing();
    std::vector<EngineCoreOutput> outputs = engine_.step();

    num_idle_steps_ = outputs.empty() ? num_idle_steps_ + 1 : 0;
    if (num_idle_steps_ > 1000) throw std::runtime_error("1000 steps, and no request got a token");

    ++num_steps_;
    count_preempted(before);
    for (const EngineCoreOutput& output : outputs) count_output(output, before);
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
    for (const auto& [request_id, at] : standing()) num_held += at.num_computed_tokens;
    return num_held - std::min(num_held, num_computed_tokens() + num_shared_tokens_);
  }

 private:
  // Where a request stands before a step.
  struct Standing {
    std::size_t num_tokens;
    std::size_t num_computed_tokens;
  };

  std::map<std::string, Standing> standing() {
    std::map<std::string, Standing> result;
    const auto note = [&result](const ServedRequest& request) {
      result[request.request_id] = {request.token_ids.size(), request.num_computed_tokens};
    };
    for (const ServedRequest* request : engine_.scheduler().running()) note(*request);
    for (const ServedRequest* request : engine_.scheduler().waiting()) note(*request);
    return result;
  }

  void count_preempted(const std::map<std::string, Standing>& before) {
    for (const ServedRequest* request : engine_.scheduler().waiting()) {
      const std::size_t num_lost = before.at(request->request_id).num_computed_tokens;
      num_preemptions_ += num_lost > 0 ? 1 : 0;
      num_held_tokens_ += num_lost;
    }
  }

  void count_output(const EngineCoreOutput& output, const std::map<std::string, Standing>& before) {
    num_output_tokens_ += output.new_token_ids.size();
    std::size_t& last = last_token_at_[output.request_id];
    longest_gap_ = std::max(longest_gap_, num_steps_ - last);
    last = num_steps_;
    if (!output.finish_reason) return;
    num_held_tokens_ += before.at(output.request_id).num_tokens;
    last_token_at_.erase(output.request_id);
  }

  Engine engine_;
  std::size_t num_steps_ = 0;
  std::size_t num_idle_steps_ = 0;
  std::size_t num_output_tokens_ = 0;
  std::size_t num_preemptions_ = 0;
  std::size_t num_held_tokens_ = 0;  // that requests had in the cache when they lost their blocks
  std::size_t num_shared_tokens_ = 0;
  std::size_t longest_gap_ = 0;
  std::map<std::string, std::size_t> last_token_at_;  // the step; at first, when it was added
};

}  // namespace kv
