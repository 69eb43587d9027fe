#pragma once
// The answers of /v1/completions and /v1/chat/completions: a list of choices.

#include <string>
#include <vector>

#include "apps/serve/answers/completion.h"

namespace kv::serve {

// vLLM: OpenAIServingCompletion and OpenAIServingChat in vllm/entrypoints/openai
class ChoicesCompletion : public Completion {
 public:
  ChoicesCompletion(AsyncEngine& engine,
                    const Speaker& speaker,
                    CompletionCall call,
                    const std::string& model,
                    std::size_t number);

  nlohmann::json response() const override;
  std::vector<nlohmann::json> take_events() override;
  nlohmann::json event_of(const ApiError& error) override { return json_of(error); }
  bool ends_with_done() const override { return true; }

 private:
  nlohmann::json frame(bool is_event) const;  // what each response begins with
  nlohmann::json choice(std::size_t index) const;
  nlohmann::json event_of(std::size_t index, const std::string& text, bool is_last);
  nlohmann::json logprobs(const std::vector<ListedToken>& listed) const;  // null: not asked for
  nlohmann::json usage() const;
  bool is_chat() const { return call_.endpoint == Endpoint::kChatCompletions; }

  std::vector<bool> has_begun_, has_said_end_;  // [answer], in events
  bool has_said_usage_ = false;
};

}  // namespace kv::serve
