#include "apps/live/live_engine.h"

#include <array>
#include <cstdio>

#include "apps/serve/calls/completion_call.h"
#include "apps/serve/http/api_error.h"
#include "apps/serve/page/pool_call.h"
#include "apps/serve/page/state_event.h"

namespace kv::live {
namespace {

// What ./lab serve begins with.
constexpr std::size_t kNumBlocks = 64;
constexpr std::size_t kBlockSize = 16;
constexpr std::size_t kMostRunning = 32;
constexpr std::size_t kMostRequests = 128;

}  // namespace

LiveEngine::LiveEngine(const std::filesystem::path& model)
    : speaker_(load_speaker(model, 1)),
      config_(conversation_config(
          kNumBlocks, kBlockSize, kMostRunning, Rules::kVllm022, speaker_.model.config())),
      run_(std::make_unique<EngineRun>(speaker_.model, config_)) {
  note_state({});
}

nlohmann::json LiveEngine::post(const std::string& path, const std::string& body) {
  if (path == "/v1/completions") {
    add_requests(body);
    return nlohmann::json::object();
  }
  if (path == "/pool") {
    replace(serve::read_pool_call(body, config_, speaker_));
    return serve::json_of(config_);
  }
  throw serve::ApiError(404, "there is no POST " + path);
}

bool LiveEngine::step() {
  if (!run_->has_requests()) return false;
  note_state(run_->step());
  return true;
}

nlohmann::json LiveEngine::take_event() {
  const nlohmann::json event = serve::event_of(state_, shown_ ? &*shown_ : nullptr, speaker_);
  shown_ = state_;
  return event;
}

std::string LiveEngine::logits_hash() {
  std::array<char, 17> digits;
  std::snprintf(digits.data(), digits.size(), "%016llx",
                static_cast<unsigned long long>(run_->logits_hash()));
  return digits.data();
}

void LiveEngine::add_requests(const std::string& body) {
  const serve::CallLimits limits = {.model = "pagedlab",
                                    .max_model_len = config_.scheduler.max_model_len,
                                    .max_requests = kMostRequests};
  const serve::CompletionCall call =
      serve::read_completion_call(serve::Endpoint::kCompletions, body, speaker_, limits);
  for (ServedRequest& request : serve::requests_of(call, config_, ++num_calls_)) {
    request.request_id = std::to_string(++num_requests_);  // as ./lab generate numbers them
    run_->add_request(std::move(request));
  }
  note_state({});
}

void LiveEngine::replace(const EngineConfig& config) {
  run_.reset();  // Why first: two pools may need too much memory.
  run_ = std::make_unique<EngineRun>(speaker_.model, config);
  config_ = config;
  ++pool_number_;
  num_requests_ = 0;
  state_ = {};
  note_state({});
}

void LiveEngine::note_state(const std::vector<EngineCoreOutput>& outputs) {
  serve::EngineState state = serve::state_of(*run_);
  state.pool_number = pool_number_;
  serve::add_history(state, state_, outputs);
  state_ = std::move(state);
}

}  // namespace kv::live
