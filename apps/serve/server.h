#pragma once
// The server: HTTP in front of one engine, as OpenAI's.

#include <httplib.h>

#include <atomic>
#include <ctime>
#include <functional>
#include <string>

#include "apps/serve/answers/completion.h"
#include "apps/serve/engine/async_engine.h"
#include "apps/serve/http/access.h"
#include "apps/serve/http/connection_threads.h"
#include "apps/serve/http/event_streams.h"
#include "apps/serve/options.h"
#include "apps/serve/page/page_routes.h"
#include "apps/speaker/speaker.h"
#include "apps/speaker/step_limit.h"

namespace kv::serve {

// vLLM: vllm/entrypoints/openai/api_server.py
class Server {
 public:
  // Throws InputError for a model that cannot be read, and a port that cannot be had.
  Server(Options options, Speaker speaker);

  std::string url() const;
  void run();  // until stop()
  // Takes no more calls, and ends the connections that have none. True: all calls are answered, and
  // run() returns; until then it has to be called again. Requires: the engine has stopped.
  bool stop();
  AsyncEngine& engine() { return engine_; }

 private:
  void set_up_http();
  void add_routes();
  void add_openai_routes();
  void bind();
  void expect_allowed(const httplib::Request& call, httplib::Response& response) const;
  httplib::Server::HandlerResponse receive(const httplib::Request& call,
                                           httplib::Response& response) const;
  void answer_completion(Endpoint endpoint,
                         const httplib::Request& call,
                         httplib::Response& response);
  std::shared_ptr<Completion> completion_of(Endpoint endpoint, const std::string& body);
  nlohmann::json model() const;

  Options options_;
  Speaker speaker_;
  StepLimit step_limit_;
  AsyncEngine engine_;
  EventStreams streams_ = {};
  PageRoutes page_routes_;
  Access access_;
  httplib::Server http_;
  ConnectionThreads* connections_ = nullptr;  // those of http_, since it listens
  socket_t listener_ = INVALID_SOCKET;
  bool takes_no_calls_ = false;
  std::atomic<bool> has_ended_ = false;
  std::atomic<std::size_t> num_calls_ = 0;
  std::atomic<std::size_t> num_ids_ = 0;  // ids that were made for calls without one
  const std::int64_t started_s_ = std::time(nullptr);
};

}  // namespace kv::serve
