#pragma once
// A call for text while it is answered: its requests in the engine, and their answers.

#include <memory>
#include <string>
#include <vector>

#include "apps/serve/answers/answer.h"
#include "apps/serve/calls/completion_call.h"
#include "apps/serve/engine/async_engine.h"

namespace kv::serve {

struct Usage {
  std::size_t num_prompt_tokens = 0;
  std::size_t num_cached_tokens = 0;  // prompt tokens that the prefix cache had
  std::size_t num_output_tokens = 0;
};

// Each endpoint derives the form of its answers.
class Completion {
 public:
  virtual ~Completion();  // requests that have not ended are aborted
  Completion(const Completion&) = delete;
  Completion& operator=(const Completion&) = delete;

  // Waits for the next tokens, at most so long. Throws ApiError if there will be none.
  void advance(std::chrono::milliseconds patience);
  bool has_ended() const;
  bool is_stream() const { return call_.stream; }

  virtual nlohmann::json response() const = 0;                 // requires: has_ended()
  virtual std::vector<nlohmann::json> take_events() = 0;       // stream events since the last call
  virtual nlohmann::json event_of(const ApiError& error) = 0;  // that ends a stream
  virtual bool ends_with_done() const = 0;                     // a stream, with [DONE]

 protected:
  // model: the name that answers give. number: of the call, from 1; it is the seed of a call that
  // gives none.
  // Throws ApiError: 429 if the engine has no room for more requests, 503 if it stops.
  // Requires: engine and speaker are there as long as the completion.
  Completion(AsyncEngine& engine,
             const Speaker& speaker,
             CompletionCall call,
             const std::string& model,
             std::size_t number);

  Usage usage() const;

  AsyncEngine& engine_;
  const Speaker& speaker_;
  const CompletionCall call_;
  const std::string model_;
  const std::string id_;
  const std::int64_t created_s_;
  std::vector<Answer> answers_;  // n to the first prompt, n to the second, ...

 private:
  std::vector<std::size_t> open_answers() const;

  std::vector<std::size_t> num_cached_tokens_;  // [answer]
  std::shared_ptr<Call> requests_;
};

}  // namespace kv::serve
