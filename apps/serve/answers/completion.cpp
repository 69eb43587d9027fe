#include "apps/serve/answers/completion.h"

#include <algorithm>
#include <ctime>

#include "apps/serve/http/api_error.h"

namespace kv::serve {
namespace {

const char* kind_of_id(Endpoint endpoint) {
  if (endpoint == Endpoint::kResponses) return "resp_";
  return endpoint == Endpoint::kChatCompletions ? "chatcmpl-" : "cmpl-";
}

}  // namespace

Completion::Completion(AsyncEngine& engine,
                       const Speaker& speaker,
                       CompletionCall call,
                       const std::string& model,
                       std::size_t number)
    : engine_(engine),
      speaker_(speaker),
      call_(std::move(call)),
      model_(model),
      id_(kind_of_id(call_.endpoint) + std::to_string(number)),
      created_s_(std::time(nullptr)),
      answers_(call_.n * call_.prompts.size(), Answer(speaker, call_.stop)),
      num_cached_tokens_(answers_.size()),
      requests_(engine.add(requests_of(call_, engine.config(), number))) {
  if (requests_) return;
  if (engine.is_stopping()) throw about_to_stop();
  throw ApiError(429, "the server has as many requests as it takes; try again later");
}

Completion::~Completion() {
  if (requests_) engine_.finish_requests(*requests_, open_answers(), {});
}

std::vector<std::size_t> Completion::open_answers() const {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < answers_.size(); ++i)
    if (!answers_[i].has_ended()) open.push_back(i);
  return open;
}

void Completion::advance(std::chrono::milliseconds patience) {
  std::vector<std::size_t> stopped;
  for (CallOutput& output : requests_->take(patience)) {
    Answer& answer = answers_[output.index];
    if (answer.has_ended()) continue;  // by a text of `stop`
    num_cached_tokens_[output.index] = output.sampled.front().num_cached_tokens;
    if (call_.echo && answer.num_tokens() == 0)
      answer.begin_with(call_.prompts[output.index / call_.n], std::move(output.prompt_logprobs));
    if (call_.sampling.max_tokens == 0)
      answer.add({}, FinishReason::kLength);
    else
      answer.add(output.sampled, output.finish_reason);
    if (answer.has_ended() && !output.finish_reason) stopped.push_back(output.index);
  }
  if (!stopped.empty()) engine_.finish_requests(*requests_, stopped, FinishReason::kStop);
}

bool Completion::has_ended() const {
  return std::ranges::all_of(answers_, &Answer::has_ended);
}

// The prompt counts once, whatever n is.
Usage Completion::usage() const {
  Usage usage;
  for (const auto& prompt : call_.prompts) usage.num_prompt_tokens += prompt.size();
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    usage.num_output_tokens += answers_[i].num_tokens();
    usage.num_cached_tokens += i % call_.n == 0 ? num_cached_tokens_[i] : 0;
  }
  return usage;
}

}  // namespace kv::serve
