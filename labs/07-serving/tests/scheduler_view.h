#pragma once
// What can be seen of a scheduler, as words: its queues, a step, and what came after the step.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

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

// An id that was moved away is empty.
inline std::string shown(const std::string& request_id) {
  return request_id.empty() ? "(no id)" : request_id;
}

template <class Requests>
Names names_of(const Requests& requests) {
  Names names;
  for (const ServedRequest* request : requests) names.push_back(shown(request->request_id));
  return names;
}

// "A 4/6": 4 of its 6 tokens are computed.
template <class Requests>
Names progress_of(const Requests& requests) {
  Names texts;
  for (const ServedRequest* request : requests) {
    texts.push_back(shown(request->request_id) + " " +
                    std::to_string(request->num_computed_tokens) + "/" +
                    std::to_string(request->token_ids.size()));
  }
  return texts;
}

// "A 4+2", "B 0+5 new", "C 8+1 resumed": so many are computed, and so many more will be. "D 3+2 ?7"
// if the last of them is the draft 7.
inline Names scheduled_by(const SchedulerOutput& step) {
  Names texts;
  for (const auto& [name, scheduled_as, num_computed, num_tokens, drafts] : step.scheduled) {
    texts.push_back(shown(name) + " " + std::to_string(num_computed) + "+" +
                    std::to_string(num_tokens) +
                    (scheduled_as == ScheduledAs::kNew       ? " new"
                     : scheduled_as == ScheduledAs::kResumed ? " resumed"
                                                             : ""));
    for (const TokenId draft : drafts) texts.back() += " ?" + std::to_string(draft);
  }
  return texts;
}

// "#2 to #5, 3 slots"
inline Names copies_of(const SchedulerOutput& step) {
  Names texts;
  for (const auto& [source, destination, num_slots] : step.blocks_to_copy) {
    texts.push_back("#" + std::to_string(source) + " to #" + std::to_string(destination) + ", " +
                    std::to_string(num_slots) + (num_slots == 1 ? " slot" : " slots"));
  }
  return texts;
}

inline Names names_scheduled_by(const SchedulerOutput& step) {
  Names names;
  for (const ScheduledRequest& scheduled : step.scheduled)
    names.push_back(shown(scheduled.request_id));
  return names;
}

// "A 4+2, B 0+5 new; copies #2 to #5, 3 slots; preempted C; finished D"
inline std::string draw_step(const SchedulerOutput& step) {
  std::string text = step.scheduled.empty() ? "nothing" : joined(scheduled_by(step), ", ");
  if (!step.blocks_to_copy.empty()) text += "; copies " + joined(copies_of(step), "; ");
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

}  // namespace kv::grader
