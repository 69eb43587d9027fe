#include "07-serving/bench/serve/completion.h"

#include <algorithm>
#include <ctime>

#include "07-serving/bench/serve/api_error.h"
#include "07-serving/bench/serve/logprobs_json.h"

namespace kv::serve {
namespace {

using nlohmann::json;

json name_of(std::optional<FinishReason> reason) {
  if (!reason) return nullptr;
  return *reason == FinishReason::kStop ? "stop" : "length";
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
      id_((is_chat() ? "chatcmpl-" : "cmpl-") + std::to_string(number)),
      created_s_(std::time(nullptr)),
      answers_(call_.n * call_.prompts.size(), Answer(speaker, call_.stop)),
      num_cached_tokens_(answers_.size()),
      has_begun_(answers_.size()),
      has_said_end_(answers_.size()),
      requests_(engine.add(requests(number))) {
  if (requests_) return;
  if (engine.is_stopping()) throw about_to_stop();
  throw ApiError(429, "the server has as many requests as it takes; try again later");
}

Completion::~Completion() {
  if (requests_) engine_.finish_requests(*requests_, open_answers(), {});
}

// Why one key for all: what a seed gives does not depend on what else was asked for.
std::vector<ServedRequest> Completion::requests(std::size_t number) const {
  const std::size_t block_size = engine_.config().block_size;
  std::vector<ServedRequest> requests(answers_.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].block_size = block_size;
    requests[i].token_ids = call_.prompts[i / call_.n];
    SamplingParams& params = requests[i].sampling_params = call_.sampling;
    params.seed = (call_.has_seed ? params.seed : number) + i % call_.n;
    params.random_key = "answer";
    params.max_tokens = std::max<std::size_t>(1, params.max_tokens);  // the engine gives one always
    params.num_logprobs = call_.num_logprobs.value_or(0);
    params.prompt_logprobs = call_.echo && call_.num_logprobs;
    requests[i].skip_reading_prefix_cache = params.prompt_logprobs;
  }
  return requests;
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

json Completion::frame(bool is_event) const {
  const std::string chat = is_event ? "chat.completion.chunk" : "chat.completion";
  return {{"id", id_},
          {"object", is_chat() ? chat : "text_completion"},
          {"created", created_s_},
          {"model", model_}};
}

json Completion::response() const {
  json response = frame(false);
  response["choices"] = json::array();
  for (std::size_t i = 0; i < answers_.size(); ++i) response["choices"].push_back(choice(i));
  response["usage"] = usage();
  return response;
}

json Completion::choice(std::size_t index) const {
  const Answer& answer = answers_[index];
  json choice = {{"index", index}, {"finish_reason", name_of(answer.finish_reason())}};
  if (is_chat()) {
    choice["message"] = {{"role", "assistant"}, {"content", answer.text()}};
    choice["logprobs"] = call_.num_logprobs ? chat_logprobs(answer.listed(), speaker_) : json();
  } else {
    choice["text"] = answer.text();
    choice["logprobs"] = call_.num_logprobs ? text_logprobs(answer.listed(), speaker_) : json();
  }
  return choice;
}

std::vector<json> Completion::take_events() {
  std::vector<json> events;
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    const std::string text = answers_[i].take_text();
    const bool is_last = answers_[i].has_ended() && !has_said_end_[i];
    if (!text.empty() || is_last) events.push_back(event_of(i, text, is_last));
  }
  if (has_ended() && call_.include_usage && !has_said_usage_) {
    json event = frame(true);
    event["choices"] = json::array();
    event["usage"] = usage();
    events.push_back(event);
    has_said_usage_ = true;
  }
  return events;
}

json Completion::event_of(std::size_t index, const std::string& text, bool is_last) {
  Answer& answer = answers_[index];
  const bool is_first = !has_begun_[index];
  has_begun_[index] = true;
  has_said_end_[index] = is_last;
  json choice = {{"index", index},
                 {"finish_reason", is_last ? name_of(answer.finish_reason()) : json()},
                 {"logprobs", nullptr}};
  const std::vector<ListedToken> listed = answer.take_listed();
  if (is_chat()) {
    choice["delta"] = {{"content", text}};
    if (is_first) choice["delta"]["role"] = "assistant";
    if (call_.num_logprobs) choice["logprobs"] = chat_logprobs(listed, speaker_);
  } else {
    choice["text"] = text;
    if (call_.num_logprobs) choice["logprobs"] = text_logprobs(listed, speaker_);
  }
  json event = frame(true);
  event["choices"] = {choice};
  if (call_.include_usage) event["usage"] = call_.continuous_usage_stats ? usage() : json();
  return event;
}

// The prompt counts once, whatever n is.
json Completion::usage() const {
  std::size_t num_prompt = 0, num_output = 0, num_cached = 0;
  for (const auto& prompt : call_.prompts) num_prompt += prompt.size();
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    num_output += answers_[i].num_tokens();
    num_cached += i % call_.n == 0 ? num_cached_tokens_[i] : 0;
  }
  return {{"prompt_tokens", num_prompt},
          {"completion_tokens", num_output},
          {"total_tokens", num_prompt + num_output},
          {"prompt_tokens_details", {{"cached_tokens", num_cached}}}};
}

}  // namespace kv::serve
