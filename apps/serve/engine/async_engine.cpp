#include "apps/serve/engine/async_engine.h"

#include <algorithm>

namespace kv::serve {

using Clock = std::chrono::steady_clock;

constexpr double kLongestPause_s = 3600;

AsyncEngine::AsyncEngine(const LlamaModel& model,
                         const EngineConfig& config,
                         std::size_t max_open_requests,
                         const StepLimit& step_limit)
    : config_(config),
      model_(model),
      max_open_requests_(max_open_requests),
      step_limit_(step_limit),
      feed_([this] { publish_soon(); }),
      run_(std::make_unique<EngineRun>(model, config)) {
  note_stats();
  thread_ = std::thread([this] { run(); });
}

std::shared_ptr<Call> AsyncEngine::add(std::vector<ServedRequest> requests) {
  const std::lock_guard guard(mutex_);
  const auto is_too_long = [&](const ServedRequest& request) {
    return request.token_ids.size() + request.sampling_params.max_tokens >
           config_.scheduler.max_model_len;
  };
  if (refuses_more_ || open_.size() + requests.size() > max_open_requests_ ||
      std::ranges::any_of(requests, is_too_long))
    return nullptr;

  const std::shared_ptr<Call> call(new Call(std::to_string(++num_calls_)));
  for (std::size_t index = 0; index < requests.size(); ++index) {
    ServedRequest& request = requests[index];
    request.request_id = call->id_ + "-" + std::to_string(index);
    open_[request.request_id] = {.call = call,
                                 .index = index,
                                 .num_prompt_tokens = request.token_ids.size(),
                                 .has_prompt_logprobs = request.sampling_params.prompt_logprobs,
                                 .added = Clock::now()};
    added_.push_back(std::move(request));
  }
  has_work_.notify_one();
  return call;
}

void AsyncEngine::finish_requests(const Call& call,
                                  const std::vector<std::size_t>& indices,
                                  std::optional<FinishReason> reason) {
  const std::lock_guard guard(mutex_);
  for (const std::size_t index : indices) {
    const std::string request_id = call.id_ + "-" + std::to_string(index);
    if (open_.erase(request_id) == 0) continue;
    finished_.push_back({.request_id = request_id, .finish_reason = reason});
    stats_.count_finished(reason);
  }
  has_work_.notify_one();
}

void AsyncEngine::refuse_more() {
  const std::lock_guard guard(mutex_);
  refuses_more_ = true;
  has_work_.notify_one();  // Why: it waits no longer for its pace
}

void AsyncEngine::stop_after_step() {
  const std::lock_guard guard(mutex_);
  refuses_more_ = is_stopping_ = true;
  has_work_.notify_one();
}

void AsyncEngine::stop() {
  stop_after_step();
  if (thread_.joinable()) thread_.join();
}

void AsyncEngine::replace(const EngineConfig& config) {
  const std::lock_guard guard(mutex_);
  end_all_calls(ApiError(503, "another pool has replaced the one that had this answer"));
  stats_.num_aborted += open_.size();
  open_.clear();
  config_ = config;
  is_replaced_ = true;
  has_work_.notify_one();
}

std::size_t AsyncEngine::num_open_requests() const {
  const std::lock_guard guard(mutex_);
  return open_.size();
}

void AsyncEngine::set_pace(const Pace& pace) {
  const std::lock_guard guard(mutex_);
  pace_ = pace;
  next_step_ = {};
  num_single_steps_ = 0;
  is_to_publish_ = true;
  has_work_.notify_one();
}

bool AsyncEngine::take_step() {
  const std::lock_guard guard(mutex_);
  if (!pace_.is_paused || open_.empty()) return false;
  ++num_single_steps_;
  has_work_.notify_one();
  return true;
}

void AsyncEngine::publish_soon() {
  const std::lock_guard guard(mutex_);
  is_to_publish_ = true;
  has_work_.notify_one();
}

void AsyncEngine::run() {
  ApiError end(503, "the server has stopped before the answer was complete");
  try {
    while (wait_for_work()) {
      step_limit_.restart();
      take_changes();
      step();
      note_stats();
      step_limit_.rest();
    }
  } catch (...) {
    step_limit_.rest();
    const std::lock_guard guard(mutex_);
    failure_ = std::current_exception();
    refuses_more_ = is_stopping_ = true;
    end = error_of(failure_);
  }
  feed_.close();
  const std::lock_guard guard(mutex_);
  end_all_calls(end);
  has_stopped_ = true;
}

// False: it is to stop.
bool AsyncEngine::wait_for_work() {
  std::unique_lock lock(mutex_);
  // Why: a single step that was asked for is none of a request that comes later.
  if (!run_->has_requests() && added_.empty()) num_single_steps_ = 0;
  while (!is_stopping_ && !has_changes() && !may_step()) {
    if (run_->has_requests() && !pace_.is_paused)
      has_work_.wait_until(lock, next_step_);
    else
      has_work_.wait(lock);
  }
  return !is_stopping_;
}

bool AsyncEngine::has_changes() const {
  return !added_.empty() || !finished_.empty() || is_replaced_ || is_to_publish_;
}

// At its pace. Nobody has to wait for a page that nobody sees, nor for the end of the server.
bool AsyncEngine::may_step() const {
  if (!run_->has_requests()) return false;
  if (refuses_more_ || feed_.num_readers() == 0 || num_single_steps_ > 0) return true;
  return !pace_.is_paused && Clock::now() >= next_step_;
}

// One that has finished before it was added is not added at all.
void AsyncEngine::take_changes() {
  std::vector<ServedRequest> added;
  std::vector<EngineCoreOutput> finished;
  std::optional<EngineConfig> config;
  {
    const std::lock_guard guard(mutex_);
    if (!has_changes()) return;
    std::erase_if(added_, [&](auto& request) { return !open_.contains(request.request_id); });
    added = std::exchange(added_, {});
    finished = std::exchange(finished_, {});
    if (std::exchange(is_replaced_, false)) config = config_;
    is_to_publish_ = false;
  }
  if (config) {
    step_limit_.rest();  // Why: a large pool takes long to be zero, and that is no step
    run_.reset();        // Why first: two pools may need too much memory.
    run_ = std::make_unique<EngineRun>(model_, *config);
    ++pool_number_;
    step_limit_.restart();
  }
  for (ServedRequest& request : added) run_->add_request(std::move(request));
  for (const EngineCoreOutput& output : finished) run_->abort(output.request_id);
  publish(finished);
}

void AsyncEngine::step() {
  {
    const std::lock_guard guard(mutex_);
    if (!may_step()) return;
    num_single_steps_ -= std::min<std::size_t>(num_single_steps_, 1);
    const double pause_s = pace_.steps_a_second > 0 ? 1 / pace_.steps_a_second : 0;
    const std::chrono::duration<double> pause(std::min(pause_s, kLongestPause_s));
    next_step_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(pause);
  }
  const std::vector<EngineCoreOutput> outputs = run_->step();
  deliver(outputs);
  publish(outputs);
}

void AsyncEngine::publish(const std::vector<EngineCoreOutput>& outputs) {
  feed_.publish(*run_, outputs, pace(), pool_number_);
}

void AsyncEngine::deliver(const std::vector<EngineCoreOutput>& outputs) {
  const std::lock_guard guard(mutex_);
  for (const EngineCoreOutput& output : outputs) {
    const auto found = open_.find(output.request_id);
    CallOutput taken = take_output(output);
    if (found == open_.end()) continue;  // finished in the meantime

    Open& open = found->second;
    taken.index = open.index;
    count_tokens(open, taken);

    const std::lock_guard call_guard(open.call->mutex_);
    open.call->outputs_.push_back(std::move(taken));
    open.call->has_news_.notify_one();
    if (!output.finish_reason) continue;
    stats_.count_finished(output.finish_reason);
    open_.erase(found);
  }
}

CallOutput AsyncEngine::take_output(const EngineCoreOutput& output) {
  Engine& engine = run_->engine();
  CallOutput taken = {.prompt_logprobs = engine.take_prompt_logprobs(output.request_id),
                      .sampled = engine.take_sampled(output.request_id),
                      .finish_reason = output.finish_reason};
  if (taken.sampled.empty()) throw std::runtime_error("a request is listed without a token");

  const auto token_id = [](const SampledToken& token) { return token.chosen.token_id; };
  if (!std::ranges::equal(taken.sampled, output.new_token_ids, {}, token_id))
    throw std::runtime_error("a request gets a token that was not sampled for it");
  return taken;
}

void AsyncEngine::count_tokens(Open& open, const CallOutput& taken) {
  const auto now = Clock::now();
  const bool is_first = open.last_token == Clock::time_point();
  if (is_first && open.has_prompt_logprobs &&
      taken.prompt_logprobs.size() + 1 != open.num_prompt_tokens)
    throw std::runtime_error(
        "a request skips the prefix cache and has not computed all its prompt");

  const std::chrono::duration<double> waited = now - (is_first ? open.added : open.last_token);
  (is_first ? stats_.time_to_first_token_s : stats_.inter_token_latency_s).add(waited.count());
  open.last_token = now;
  stats_.num_generation_tokens += taken.sampled.size();
  stats_.num_prompt_tokens += is_first ? open.num_prompt_tokens : 0;
  stats_.num_prefix_cache_hits += is_first ? taken.sampled.front().num_cached_tokens : 0;
}

void AsyncEngine::note_stats() {
  Engine& engine = run_->engine();
  BlockPool& pool = engine.kv_cache_manager().block_pool();
  const std::lock_guard guard(mutex_);
  stats_.num_requests_running = engine.scheduler().running().size();
  stats_.num_requests_waiting = engine.scheduler().waiting().size();
  stats_.num_blocks = pool.blocks().size() - 1;
  stats_.num_used_blocks = stats_.num_blocks - pool.get_num_free_blocks();
  stats_.num_preemptions = run_->num_preemptions();
}

void AsyncEngine::end_all_calls(const ApiError& error) {
  for (auto& [request_id, open] : open_) {
    const std::lock_guard call_guard(open.call->mutex_);
    open.call->error_ = error;
    open.call->has_news_.notify_one();
  }
}

}  // namespace kv::serve
