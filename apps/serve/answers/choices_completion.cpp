#include "apps/serve/answers/choices_completion.h"

#include "apps/serve/answers/logprobs_json.h"

namespace kv::serve {
namespace {

using nlohmann::json;

json name_of(std::optional<FinishReason> reason) {
  if (!reason) return nullptr;
  return *reason == FinishReason::kStop ? "stop" : "length";
}

}  // namespace

ChoicesCompletion::ChoicesCompletion(AsyncEngine& engine,
                                     const Speaker& speaker,
                                     CompletionCall call,
                                     const std::string& model,
                                     std::size_t number)
    : Completion(engine, speaker, std::move(call), model, number),
      has_begun_(answers_.size()),
      has_said_end_(answers_.size()) {}

json ChoicesCompletion::frame(bool is_event) const {
  const std::string chat = is_event ? "chat.completion.chunk" : "chat.completion";
  return {{"id", id_},
          {"object", is_chat() ? chat : "text_completion"},
          {"created", created_s_},
          {"model", model_}};
}

json ChoicesCompletion::response() const {
  json response = frame(false);
  response["choices"] = json::array();
  for (std::size_t i = 0; i < answers_.size(); ++i) response["choices"].push_back(choice(i));
  response["usage"] = usage();
  return response;
}

json ChoicesCompletion::choice(std::size_t index) const {
  const Answer& answer = answers_[index];
  json choice = {{"index", index},
                 {"finish_reason", name_of(answer.finish_reason())},
                 {"logprobs", logprobs(answer.listed())}};
  if (is_chat())
    choice["message"] = {{"role", "assistant"}, {"content", answer.text()}};
  else
    choice["text"] = answer.text();
  return choice;
}

json ChoicesCompletion::logprobs(const std::vector<ListedToken>& listed) const {
  if (!call_.num_logprobs) return nullptr;
  if (!is_chat()) return text_logprobs(listed, speaker_);
  return {{"content", chat_logprobs(listed, speaker_)}};
}

std::vector<json> ChoicesCompletion::take_events() {
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

json ChoicesCompletion::event_of(std::size_t index, const std::string& text, bool is_last) {
  Answer& answer = answers_[index];
  const bool is_first = !has_begun_[index];
  has_begun_[index] = true;
  has_said_end_[index] = is_last;
  json choice = {{"index", index},
                 {"finish_reason", is_last ? name_of(answer.finish_reason()) : json()},
                 {"logprobs", logprobs(answer.take_listed())}};
  if (is_chat()) {
    choice["delta"] = {{"content", text}};
    if (is_first) choice["delta"]["role"] = "assistant";
  } else {
    choice["text"] = text;
  }
  json event = frame(true);
  event["choices"] = {choice};
  if (call_.include_usage) event["usage"] = call_.continuous_usage_stats ? usage() : json();
  return event;
}

json ChoicesCompletion::usage() const {
  const Usage usage = Completion::usage();
  return {{"prompt_tokens", usage.num_prompt_tokens},
          {"completion_tokens", usage.num_output_tokens},
          {"total_tokens", usage.num_prompt_tokens + usage.num_output_tokens},
          {"prompt_tokens_details", {{"cached_tokens", usage.num_cached_tokens}}}};
}

}  // namespace kv::serve
