#include "apps/generate/answers.h"

#include <utility>

namespace kv::generate {

Answers::Answers(std::vector<ServedRequest> requests, std::size_t num_answers, EngineRun& run)
    : requests_(std::move(requests)), num_answers_(num_answers), run_(run) {
  for (std::size_t i = 0; i < requests_.size(); i += num_answers_) {
    run_.add_request(requests_[i]);
    without_token_.insert(requests_[i].request_id);
  }
}

void Answers::fork_after(const EngineCoreOutput& output) {
  if (without_token_.erase(output.request_id) == 0) return;

  const std::size_t parent = std::stoull(output.request_id) - 1;
  for (std::size_t i = parent + 1; i < parent + num_answers_; ++i)
    if (!fork(output.request_id, requests_[i])) run_.add_request(requests_[i]);
}

// Drafts can have given the parent more than one token, or its end.
bool Answers::fork(const std::string& parent_id, const ServedRequest& child) {
  const Scheduler& scheduler = run_.engine().scheduler();
  return scheduler.has_request(parent_id) &&
         scheduler.request(parent_id).num_output_tokens() == 1 &&
         run_.fork_request(parent_id, child.request_id, child.sampling_params);
}

}  // namespace kv::generate
