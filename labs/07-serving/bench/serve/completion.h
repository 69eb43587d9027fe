#pragma once
// A call for text while it is answered: its requests in the engine, and their answers.

#include <memory>
#include <string>
#include <vector>

#include "07-serving/bench/serve/answer.h"
#include "07-serving/bench/serve/async_engine.h"
#include "07-serving/bench/serve/completion_call.h"

namespace kv::serve {

class Completion {
 public:
  // number: of the call, from 1; it makes the id, and the seed of a call that gives none.
  // Throws ApiError: 429 if the engine has no room for more requests, 503 if it stops.
  // Requires: engine and speaker are there as long as the completion.
  Completion(AsyncEngine& engine,
             const Speaker& speaker,
             CompletionCall call,
             const std::string& model,
             std::size_t number);
  ~Completion();  // requests that have not ended are aborted
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // Waits for the next tokens, at most so long. Throws ApiError if there will be none.
  void advance(std::chrono::milliseconds patience);
  bool has_ended() const;
  bool is_stream() const { return call_.stream; }

  nlohmann::json response() const;            // requires: has_ended()
  std::vector<nlohmann::json> take_events();  // of a stream, since the last call

 private:
  std::vector<ServedRequest> requests(std::size_t number) const;
  std::vector<std::size_t> open_answers() const;
  nlohmann::json frame(bool is_event) const;  // what each response begins with
  nlohmann::json choice(std::size_t index) const;
  nlohmann::json event_of(std::size_t index, const std::string& text, bool is_last);
  nlohmann::json usage() const;
  bool is_chat() const { return call_.endpoint == Endpoint::kChatCompletions; }

  AsyncEngine& engine_;
  const Speaker& speaker_;
  const CompletionCall call_;
  std::string model_;
  std::string id_;
  std::int64_t created_s_;
  std::vector<Answer> answers_;                 // n to the first prompt, n to the second, ...
  std::vector<std::size_t> num_cached_tokens_;  // [answer]
  std::vector<bool> has_begun_, has_said_end_;  // [answer], in events
  bool has_said_usage_ = false;
  std::shared_ptr<Call> requests_;
};

}  // namespace kv::serve
