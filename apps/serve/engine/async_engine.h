#pragma once
// One engine for many threads: a call gives it requests, and takes their tokens as they come.

#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "07-serving/bench/engine_run.h"
#include "apps/serve/engine/call.h"
#include "apps/serve/engine/engine_stats.h"
#include "apps/serve/engine/state_feed.h"
#include "apps/speaker/step_limit.h"

namespace kv::serve {

// vLLM: AsyncLLM in vllm/v1/engine/async_llm.py
class AsyncEngine {
 public:
  // Requires: the model is there as long as the engine.
  AsyncEngine(const LlamaModel& model,
              const EngineConfig& config,
              std::size_t max_open_requests,
              const StepLimit& step_limit);
  ~AsyncEngine() { stop(); }

  // Adds the requests of a call, all or none; their ids are chosen here. Null: the engine has no
  // room for so many requests, they are too long for a pool that has just become smaller, or the
  // engine has stopped.
  std::shared_ptr<Call> add(std::vector<ServedRequest> requests);

  // These requests of the call get no more tokens, and their blocks are free before the next step.
  // reason: why their answers are complete; none: nobody waits for them any more.
  void finish_requests(const Call& call,
                       const std::vector<std::size_t>& indices,
                       std::optional<FinishReason> reason);

  void refuse_more();  // add() gives null from now on
  bool is_stopping() const { return copy_of(refuses_more_); }
  // After the present step, whatever is open. stop() waits for its end.
  void stop_after_step();
  bool has_stopped() const { return copy_of(has_stopped_); }
  void stop();

  // A new engine, with an empty pool, before the next step. Open calls end without their answers.
  void replace(const EngineConfig& config);

  // For pages. Null: as many as can be watch it already.
  std::unique_ptr<StateFeed::Reader> watch() { return feed_.add_reader(); }
  Pace pace() const { return copy_of(pace_); }
  void set_pace(const Pace& pace);
  bool take_step();  // one, while it is paused; false: it is not, or has no requests

  EngineConfig config() const { return copy_of(config_); }
  std::size_t num_open_requests() const;
  EngineStats stats() const { return copy_of(stats_); }
  // What the tree has thrown; the engine has stopped then.
  std::exception_ptr failure() const { return copy_of(failure_); }

 private:
  // A request of which the engine has not said that it has ended.
  struct Open {
    std::shared_ptr<Call> call;
    std::size_t index;
    std::size_t num_prompt_tokens;
    bool has_prompt_logprobs;  // in its first output
    std::chrono::steady_clock::time_point added;
    std::chrono::steady_clock::time_point last_token = {};
  };

  template <class T>
  T copy_of(const T& guarded) const {
    const std::lock_guard guard(mutex_);
    return guarded;
  }

  void run();  // in its thread
  bool wait_for_work();
  bool has_changes() const;
  bool may_step() const;
  void take_changes();
  void step();
  void deliver(const std::vector<EngineCoreOutput>& outputs);
  CallOutput take_output(const EngineCoreOutput& output);
  void count_tokens(Open& open, const CallOutput& taken);
  void publish(const std::vector<EngineCoreOutput>& outputs);
  void note_stats();
  void end_all_calls(const ApiError& error);  // requires: mutex_ is locked
  void publish_soon();

  mutable std::mutex mutex_ = {};  // guards what follows, up to the next blank line
  std::condition_variable has_work_ = {};
  std::map<std::string, Open> open_ = {};
  std::vector<ServedRequest> added_ = {};
  std::vector<EngineCoreOutput> finished_ = {};  // without tokens
  std::size_t num_calls_ = 0;
  bool refuses_more_ = false;
  bool is_stopping_ = false;
  bool has_stopped_ = false;
  EngineStats stats_ = {};
  std::exception_ptr failure_ = {};
  EngineConfig config_;
  bool is_replaced_ = false;  // by an engine of this config, in its thread
  Pace pace_ = {};
  std::size_t num_single_steps_ = 0;  // still to be made
  bool is_to_publish_ = false;        // a page came or went, or the pace is another one

  const LlamaModel& model_;
  const std::size_t max_open_requests_;
  const StepLimit& step_limit_;
  StateFeed feed_;
  std::unique_ptr<EngineRun> run_;  // the engine's thread uses it and the next two
  std::size_t pool_number_ = 1;
  std::chrono::steady_clock::time_point next_step_ = {};  // not before it, at this pace
  std::thread thread_;
};

}  // namespace kv::serve
