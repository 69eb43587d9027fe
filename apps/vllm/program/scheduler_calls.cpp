// Lab 07: the scheduler.

#include <string>

#include "apps/vllm/program/objects.h"

namespace kv::vllm {
namespace {

// ["new_scheduler", manager, {tokens of a step, ...}]
Json new_scheduler(Objects& objects, const Json& call) {
  const Json& given = call[2];
  const bool is_fcfs = given["policy"] == "fcfs";
  const SchedulerConfig config = {
      .max_num_batched_tokens = given["max_num_batched_tokens"].get<std::size_t>(),
      .max_num_seqs = given["max_num_seqs"].get<std::size_t>(),
      .max_model_len = given["max_model_len"].get<std::size_t>(),
      .long_prefill_token_threshold = given["long_prefill_token_threshold"].get<std::size_t>(),
      .enable_chunked_prefill = given["enable_chunked_prefill"].get<bool>(),
      .scheduler_reserve_full_isl = given["scheduler_reserve_full_isl"].get<bool>(),
      .watermark = given["watermark"].get<double>(),
      .policy = is_fcfs ? SchedulingPolicy::kFcfs : SchedulingPolicy::kPriority};
  return objects.schedulers.add(objects.managers.at(call[1]), config);
}

// ["add_request", scheduler, request, {max_tokens, ...}]
Json add_request(Objects& objects, const Json& call) {
  const Json& given = call[3];
  ServedRequest request = objects.requests.at(call[2]);
  request.sampling_params.max_tokens = given["max_tokens"].get<std::size_t>();
  request.sampling_params.min_tokens = given["min_tokens"].get<std::size_t>();
  request.sampling_params.eos_token_id = optional_of<TokenId>(given["eos_token_id"]);
  request.sampling_params.stop_token_ids = given["stop_token_ids"].get<std::vector<TokenId>>();
  request.priority = given["priority"].get<int>();
  request.arrival_time = given["arrival_time"].get<double>();
  objects.schedulers.at(call[1]).add_request(std::move(request));
  return Json();
}

const char* name_of(ScheduledAs scheduled_as) {
  if (scheduled_as == ScheduledAs::kNew) return "new";
  return scheduled_as == ScheduledAs::kResumed ? "resumed" : "running";
}

Json schedule(Objects& objects, const Json& call) {
  const SchedulerOutput output = objects.schedulers.at(call[1]).schedule();
  Json scheduled = Json::array();
  for (const ScheduledRequest& it : output.scheduled)
    scheduled.push_back({it.request_id, name_of(it.scheduled_as), it.num_computed_tokens,
                         it.num_tokens, it.spec_token_ids});
  return {{"scheduled", scheduled},
          {"preempted", output.preempted_req_ids},
          {"finished", output.finished_req_ids},
          {"common", output.num_common_prefix_blocks}};
}

SchedulerOutput output_of(const Json& scheduled) {
  SchedulerOutput output;
  for (const Json& it : scheduled)
    output.scheduled.push_back({.request_id = it[0].get<std::string>(),
                                .scheduled_as = ScheduledAs::kRunning,
                                .num_computed_tokens = it[2].get<std::size_t>(),
                                .num_tokens = it[3].get<std::size_t>(),
                                .spec_token_ids = it[4].get<std::vector<TokenId>>()});
  return output;
}

// ["update_from_output", scheduler, what schedule gave as scheduled, [[token, ...], ...]]
Json update_from_output(Objects& objects, const Json& call) {
  const auto sampled = call[3].get<std::vector<std::vector<TokenId>>>();
  const auto outputs =
      objects.schedulers.at(call[1]).update_from_output(output_of(call[2]), sampled);
  Json answers = Json::array();
  for (const EngineCoreOutput& output : outputs) {
    Json reason;
    if (output.finish_reason)
      reason = *output.finish_reason == FinishReason::kStop ? "stop" : "length";
    answers.push_back({output.request_id, output.new_token_ids, reason});
  }
  return answers;
}

template <class Requests>
Json ids_of(const Requests& requests) {
  Json ids = Json::array();
  for (const ServedRequest* request : requests) ids.push_back(request->request_id);
  return ids;
}

// Null once it has ended.
Json request_at(Objects& objects, const Json& call) {
  const Scheduler& scheduler = objects.schedulers.at(call[1]);
  const auto id = call[2].get<std::string>();
  if (!scheduler.has_request(id)) return nullptr;
  const ServedRequest& request = scheduler.request(id);
  return {static_cast<int>(request.status), request.num_computed_tokens, request.num_preemptions,
          request.spec_token_ids, request.token_ids.size()};
}

}  // namespace

void add_scheduler_calls(Calls& calls) {
  calls["new_scheduler"] = new_scheduler;
  calls["add_request"] = add_request;
  calls["finish_requests"] = [](Objects& objects, const Json& call) {
    objects.schedulers.at(call[1]).finish_requests(call[2].get<std::vector<std::string>>());
    return Json();
  };
  calls["schedule"] = schedule;
  calls["update_draft_token_ids"] = [](Objects& objects, const Json& call) {
    objects.schedulers.at(call[1]).update_draft_token_ids(call[2].get<std::string>(),
                                                          call[3].get<std::vector<TokenId>>());
    return Json();
  };
  calls["update_from_output"] = update_from_output;
  calls["queues"] = [](Objects& objects, const Json& call) {
    const Scheduler& scheduler = objects.schedulers.at(call[1]);
    return Json::array({ids_of(scheduler.waiting()), ids_of(scheduler.running())});
  };
  calls["request"] = request_at;
}

}  // namespace kv::vllm
