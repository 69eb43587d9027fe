#pragma once
// What a call gets from the engine, which runs in another thread.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "07-serving/given/sampled_token.h"
#include "apps/serve/http/api_error.h"

namespace kv::serve {

// What a step has added to a request of a call.
struct CallOutput {
  std::size_t index = 0;                      // number of the request in its call, from 0
  std::vector<SampledToken> prompt_logprobs;  // in a request's first output, if asked for
  std::vector<SampledToken> sampled;
  std::optional<FinishReason> finish_reason;
};

// The requests of one call, until they have ended. It belongs to the thread that serves the call.
class Call {
 public:
  // Waits for outputs, at most so long. Throws ApiError if there will be none.
  std::vector<CallOutput> take(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    has_news_.wait_for(lock, patience, [&] { return !outputs_.empty() || error_; });
    if (outputs_.empty() && error_) throw *error_;
    return std::exchange(outputs_, {});
  }

 private:
  friend class AsyncEngine;

  explicit Call(std::string id) : id_(std::move(id)) {}

  std::string id_;
  std::mutex mutex_ = {};
  std::condition_variable has_news_ = {};
  std::vector<CallOutput> outputs_ = {};
  std::optional<ApiError> error_ = {};  // why no more outputs come
};

}  // namespace kv::serve
