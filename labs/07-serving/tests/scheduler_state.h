#pragma once
// What can be seen of a scheduler, as words: its queues, a step, and what came after the step.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "04-kv-cache-manager/tests/manager_state.h"
#include "07-serving/scheduler.h"

namespace kv::grader {

using Names = std::vector<std::string>;

inline Names sorted(Names names) {
  std::ranges::sort(names);
  return names;
}

// "A B C"
inline std::string joined(const Names& names, const std::string& between = " ") {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : between) + name;
  return text;
}

template <class Requests>
Names names_of(const Requests& requests) {
  Names names;
  for (const ServedRequest* request : requests) names.push_back(request->request_id);
  return names;
}

// "A 4/6": 4 of its 6 tokens are computed.
template <class Requests>
Names progress_of(const Requests& requests) {
  Names texts;
  for (const ServedRequest* request : requests) {
    texts.push_back(request->request_id + " " + std::to_string(request->num_computed_tokens) + "/" +
                    std::to_string(request->token_ids.size()));
  }
  return texts;
}

// "A 4+2", "B 0+5 new", "C 8+1 resumed": so many are computed, and so many more will be.
inline Names scheduled_by(const SchedulerOutput& step) {
  Names texts;
  for (const auto& [name, scheduled_as, num_computed, num_tokens] : step.scheduled) {
    texts.push_back(name + " " + std::to_string(num_computed) + "+" + std::to_string(num_tokens) +
                    (scheduled_as == ScheduledAs::kNew       ? " new"
                     : scheduled_as == ScheduledAs::kResumed ? " resumed"
                                                             : ""));
  }
  return texts;
}

inline Names names_scheduled_by(const SchedulerOutput& step) {
  Names names;
  for (const ScheduledRequest& scheduled : step.scheduled) names.push_back(scheduled.request_id);
  return names;
}

// "A 4+2, B 0+5 new; preempted C; finished D"
inline std::string draw_step(const SchedulerOutput& step) {
  std::string text = step.scheduled.empty() ? "nothing" : joined(scheduled_by(step), ", ");
  if (!step.preempted_req_ids.empty()) text += "; preempted " + joined(step.preempted_req_ids);
  if (!step.finished_req_ids.empty()) text += "; finished " + joined(step.finished_req_ids);
  return text;
}

inline std::string draw_reason(const std::optional<FinishReason>& reason) {
  if (!reason) return "goes on";
  return *reason == FinishReason::kStop ? "stop" : "length";
}

// "A 7", "B 9 stop", "C 3 length": its token, and why it ends.
inline Names outputs_of(const std::vector<EngineCoreOutput>& outputs) {
  Names texts;
  for (const auto& [name, new_token_ids, reason] : outputs) {
    std::string text = name;
    for (const TokenId token : new_token_ids) text += " " + std::to_string(token);
    texts.push_back(text + (reason ? " " + draw_reason(reason) : ""));
  }
  return texts;
}

inline std::string draw_outputs(const std::vector<EngineCoreOutput>& outputs) {
  return outputs.empty() ? "no token" : joined(outputs_of(outputs), ", ");
}

struct SchedulerState {
  ManagerState manager;
  Names waiting;
  Names running;

  friend bool operator==(const SchedulerState&, const SchedulerState&) = default;
};

inline std::string draw(const SchedulerState& state) {
  return "waiting [" + joined(state.waiting, ", ") + "], running [" + joined(state.running, ", ") +
         "], " + draw(state.manager);
}

// I14 or I15 in the contract's words if it is broken; nullopt if both hold. names: of all requests
// that there have been.
inline std::optional<std::string> broken_queue_invariant(const Scheduler& scheduler,
                                                         const KVCacheManager& manager,
                                                         const Names& names) {
  if (scheduler.running().size() > scheduler.config().max_num_seqs)
    return "I14: at most max_num_seqs requests run, but " +
           std::to_string(scheduler.running().size()) + " do";
  const Names waiting = names_of(scheduler.waiting()), running = names_of(scheduler.running());
  for (const std::string& name : names) {
    const auto num_waiting = std::ranges::count(waiting, name);
    const auto num_running = std::ranges::count(running, name);
    const int expected = scheduler.has_request(name) ? 1 : 0;
    if (num_waiting + num_running != expected)
      return "I15: a request is either waiting or running, but " + name + " is in the queues " +
             std::to_string(num_waiting + num_running) + " times";
    if (num_running == 0 && manager.get_blocks(name).num_blocks() > 0)
      return "I15: only running requests have blocks, but " + name + " has some";
    if (expected == 0) continue;
    const bool is_running = scheduler.request(name).status == RequestStatus::kRunning;
    if (is_running != (num_running == 1)) return "I15: the status of " + name + " is another one";
  }
  return std::nullopt;
}

}  // namespace kv::grader
