#pragma once
// The engine of a page that has no server: it answers the calls of the page of ./lab serve, in the
// same form, without a thread of its own.

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "07-serving/bench/engine_run.h"
#include "apps/serve/engine/engine_state.h"
#include "apps/speaker/speaker.h"

namespace kv::live {

class LiveEngine {
 public:
  // Throws InputError for a folder that has no model.
  explicit LiveEngine(const std::filesystem::path& model);

  // What the server answers to a POST of this body. Throws ApiError for what it refuses, and what
  // the tree throws.
  nlohmann::json post(const std::string& path, const std::string& body);

  // Whether there was something to compute.
  bool step();

  // The state, as an event of /events, with what has changed since the last one.
  nlohmann::json take_event();

  // That of Engine::logits_hash, as 16 hexadecimal digits.
  std::string logits_hash();

 private:
  void add_requests(const std::string& body);
  void replace(const EngineConfig& config);
  void note_state(const std::vector<EngineCoreOutput>& outputs);

  Speaker speaker_;
  EngineConfig config_;
  std::unique_ptr<EngineRun> run_;
  std::size_t num_calls_ = 0;
  std::size_t num_requests_ = 0;  // since the pool is there
  std::size_t pool_number_ = 1;
  serve::EngineState state_;                 // after the last step
  std::optional<serve::EngineState> shown_;  // that of the last event
};

}  // namespace kv::live
