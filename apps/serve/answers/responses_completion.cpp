#include "apps/serve/answers/responses_completion.h"

#include "apps/serve/answers/logprobs_json.h"

namespace kv::serve {

using nlohmann::json;

ResponsesCompletion::ResponsesCompletion(AsyncEngine& engine,
                                         const Speaker& speaker,
                                         CompletionCall call,
                                         const std::string& model,
                                         std::size_t number)
    : Completion(engine, speaker, std::move(call), model, number),
      message_id_("msg_" + std::to_string(number)) {}

const char* ResponsesCompletion::status() const {
  if (!answer().has_ended()) return "in_progress";
  return *answer().finish_reason() == FinishReason::kStop ? "completed" : "incomplete";
}

json ResponsesCompletion::frame(const char* status) const {
  json frame = call_.given_back;
  frame["id"] = id_;
  frame["object"] = "response";
  frame["created_at"] = created_s_;
  frame["status"] = status;
  frame["model"] = model_;
  frame["output"] = json::array();
  for (const char* none : {"error", "incomplete_details", "usage"}) frame[none] = nullptr;
  return frame;
}

json ResponsesCompletion::response() const {
  json response = frame(status());
  response["output"].push_back(message());
  response["usage"] = usage();
  if (*answer().finish_reason() == FinishReason::kLength)
    response["incomplete_details"] = {{"reason", "max_output_tokens"}};
  return response;
}

json ResponsesCompletion::message() const {
  return {{"id", message_id_},
          {"type", "message"},
          {"role", "assistant"},
          {"status", status()},
          {"content", json::array({part()})}};
}

json ResponsesCompletion::part() const {
  return {{"type", "output_text"},
          {"text", answer().text()},
          {"annotations", json::array()},
          {"logprobs", logprobs(answer().listed())}};
}

json ResponsesCompletion::logprobs(const std::vector<ListedToken>& listed) const {
  return call_.num_logprobs ? chat_logprobs(listed, speaker_) : json::array();
}

json ResponsesCompletion::usage() const {
  const Usage usage = Completion::usage();
  const std::size_t block_size = engine_.config().block_size;
  const std::size_t num_in_full_blocks = usage.num_prompt_tokens / block_size * block_size;
  return {{"input_tokens", usage.num_prompt_tokens},
          {"input_tokens_details",
           {{"cached_tokens", usage.num_cached_tokens},
            {"cache_write_tokens", num_in_full_blocks - usage.num_cached_tokens}}},
          {"output_tokens", usage.num_output_tokens},
          {"output_tokens_details", {{"reasoning_tokens", 0}}},
          {"total_tokens", usage.num_prompt_tokens + usage.num_output_tokens}};
}

std::vector<json> ResponsesCompletion::take_events() {
  std::vector<json> events;
  if (num_events_ == 0) add_beginning(events);
  const std::string text = answers_.front().take_text();
  if (!text.empty()) {
    const json listed = logprobs(answers_.front().take_listed());
    events.push_back(
        event_of_part("response.output_text.delta", {{"delta", text}, {"logprobs", listed}}));
  }
  if (answer().has_ended() && !std::exchange(has_said_end_, true)) add_end(events);
  return events;
}

void ResponsesCompletion::add_beginning(std::vector<json>& events) {
  json empty_message = message(), empty_part = part();
  empty_message["content"] = json::array();
  empty_message["status"] = "in_progress";
  empty_part["text"] = "";
  empty_part["logprobs"] = json::array();

  const json response = {{"response", frame("in_progress")}};
  events.push_back(event("response.created", response));
  events.push_back(event("response.in_progress", response));
  events.push_back(event("response.output_item.added",
                         {{"output_index", 0}, {"item", std::move(empty_message)}}));
  events.push_back(event_of_part("response.content_part.added", {{"part", std::move(empty_part)}}));
}

void ResponsesCompletion::add_end(std::vector<json>& events) {
  events.push_back(event_of_part("response.output_text.done",
                                 {{"text", answer().text()}, {"logprobs", part()["logprobs"]}}));
  events.push_back(event_of_part("response.content_part.done", {{"part", part()}}));
  events.push_back(event("response.output_item.done", {{"output_index", 0}, {"item", message()}}));
  events.push_back(event(std::string("response.") + status(), {{"response", response()}}));
}

json ResponsesCompletion::event_of(const ApiError& error) {
  json failed = frame("failed");
  failed["error"] = {{"code", "server_error"}, {"message", error.what()}};
  return event("response.failed", {{"response", std::move(failed)}});
}

json ResponsesCompletion::event(const std::string& type, json members) {
  members["type"] = type;
  members["sequence_number"] = num_events_++;
  return members;
}

json ResponsesCompletion::event_of_part(const std::string& type, json members) {
  members["item_id"] = message_id_;
  members["output_index"] = members["content_index"] = 0;
  return event(type, std::move(members));
}

}  // namespace kv::serve
