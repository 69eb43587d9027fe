#pragma once
// The answer of /v1/responses: a response with one message of one part.

#include <string>
#include <vector>

#include "apps/serve/answers/completion.h"

namespace kv::serve {

// vLLM: OpenAIServingResponses in vllm/entrypoints/openai
class ResponsesCompletion : public Completion {
 public:
  ResponsesCompletion(AsyncEngine& engine,
                      const Speaker& speaker,
                      CompletionCall call,
                      const std::string& model,
                      std::size_t number);

  nlohmann::json response() const override;
  std::vector<nlohmann::json> take_events() override;
  nlohmann::json event_of(const ApiError& error) override;
  bool ends_with_done() const override { return false; }

 private:
  const Answer& answer() const { return answers_.front(); }
  const char* status() const;                      // the response and its message have the same
  nlohmann::json frame(const char* status) const;  // the response without its message
  nlohmann::json message() const;
  nlohmann::json part() const;
  nlohmann::json logprobs(const std::vector<ListedToken>& listed) const;
  nlohmann::json usage() const;
  void add_beginning(std::vector<nlohmann::json>& events);
  void add_end(std::vector<nlohmann::json>& events);
  nlohmann::json event(const std::string& type, nlohmann::json members);
  nlohmann::json event_of_part(const std::string& type, nlohmann::json members);

  const std::string message_id_;
  std::size_t num_events_ = 0;
  bool has_said_end_ = false;
};

}  // namespace kv::serve
