#include "apps/serve/server.h"

#include <algorithm>
#include <utility>

#include "apps/serve/answers/choices_completion.h"
#include "apps/serve/answers/responses_completion.h"
#include "apps/serve/http/call_body.h"
#include "apps/serve/http/connection.h"
#include "apps/serve/http/connection_threads.h"
#include "apps/serve/http/http_answer.h"
#include "apps/serve/metrics.h"

namespace kv::serve {
namespace {

using nlohmann::json;

constexpr std::size_t kMostRunning = 64;
constexpr std::chrono::milliseconds kBetweenLooks{20};  // whether the client is still there
constexpr int kPatienceSeconds = 5;                     // with a client that is slow
constexpr int kIdleSeconds = 75;                        // a connection waits so long for a call
constexpr std::size_t kMostCallsOfConnection = 1'000'000;

// Why not the library's own options: with these, two servers can have one port.
void reuse_address_only(socket_t socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

// What the library refuses by a status alone.
void refuse_in_words(const httplib::Request& call, httplib::Response& response) {
  if (!response.body.empty()) return;
  if (response.status != 404) leave_rest_unread();
  refuse(response, ApiError(response.status, reason_of(response.status, call)));
}

bool end_stream(const Completion& completion, httplib::DataSink& sink) {
  if (completion.ends_with_done() && !write(sink, "data: [DONE]\n\n")) return false;
  sink.done();
  return true;
}

bool write_news(Completion& completion, httplib::DataSink& sink) {
  return std::ranges::all_of(completion.take_events(),
                             [&](const json& event) { return write_event(sink, event); });
}

// Gives what has come; false: the client has gone.
bool stream_news(Completion& completion, httplib::DataSink& sink) {
  if (!sink.is_writable()) return false;
  try {
    completion.advance(kBetweenLooks);
  } catch (const ApiError& error) {
    return write_news(completion, sink) && write_event(sink, completion.event_of(error)) &&
           end_stream(completion, sink);
  }
  return write_news(completion, sink) && (!completion.has_ended() || end_stream(completion, sink));
}

// Why the engine is asked: when it has stopped, the server itself ends connections.
void answer_at_once(Completion& completion,
                    const AsyncEngine& engine,
                    const httplib::Request& call,
                    httplib::Response& response) {
  const Connection connection(call);
  while (!completion.has_ended()) {
    if (connection.is_closed() && !engine.has_stopped())
      throw ApiError(400, "the connection was closed before the answer was complete");
    completion.advance(kBetweenLooks);
  }
  response.set_content(text_of(completion.response()), "application/json");
}

}  // namespace

Server::Server(Options options, Speaker speaker)
    : options_(std::move(options)),
      speaker_(std::move(speaker)),
      step_limit_("serve", kGrade, seconds_for_a_step(speaker_.model.config(), kTokensOfStep)),
      engine_(speaker_.model,
              conversation_config(options_.num_blocks,
                                  options_.block_size,
                                  kMostRunning,
                                  options_.rules,
                                  speaker_.model.config()),
              options_.max_open_requests,
              step_limit_),
      page_routes_(options_.page, engine_, speaker_, streams_),
      access_(options_.host, options_.allowed_origins, options_.api_key) {
  options_.model_name = json::parse(text_of(options_.model_name));  // a folder's may be no UTF-8
  set_up_http();
  add_routes();
  bind();
}

void Server::set_up_http() {
  http_.new_task_queue = [this] { return connections_ = new ConnectionThreads; };
  http_.set_payload_max_length(kMostBytesOfBody);
  http_.set_socket_options([this](socket_t socket) {
    reuse_address_only(socket);
    listener_ = socket;
  });
  http_.set_read_timeout(kPatienceSeconds);
  http_.set_write_timeout(kPatienceSeconds);
  http_.set_keep_alive_timeout(kIdleSeconds);
  http_.set_keep_alive_max_count(kMostCallsOfConnection);
  http_.set_tcp_nodelay(true);
}

void Server::bind() {
  const bool is_bound = options_.port != 0
                            ? http_.bind_to_port(options_.host, options_.port)
                            : (options_.port = http_.bind_to_any_port(options_.host)) > 0;
  if (!is_bound)
    throw InputError("port " + std::to_string(options_.port) + " of " + options_.host +
                     " cannot be had; choose another one with --port");
  ::listen(listener_, SOMAXCONN);  // Why again: the library lets five clients wait, others lose 1 s
}

std::string Server::url() const {
  return "http://" + options_.host + ":" + std::to_string(options_.port);
}

void Server::run() {
  http_.listen_after_bind();
  has_ended_ = true;
}

// Why streams come first: the library cuts them off when it stops.
bool Server::stop() {
  if (streams_.num_open() > 0) return false;
  if (http_.is_running() && !std::exchange(takes_no_calls_, true)) http_.stop();
  stop_reading(options_.port);
  return has_ended_;
}

// Throws ApiError for what no handler is to see.
void Server::expect_allowed(const httplib::Request& call, httplib::Response& response) const {
  if (!is_call(call)) throw ApiError(400, "the call before this one has ended the connection");
  access_.expect_allowed_page(call);
  Access::permit_page(call, response);
  if (call.method == "OPTIONS") return;

  if (!access_.has_key(call))
    throw ApiError(401, "the key of this server is missing: Authorization: Bearer KEY");
  if (call.method != "GET" && call.method != "HEAD" && call.method != "POST")
    throw ApiError(404, reason_of(404, call));
}

// What needs no handler.
httplib::Server::HandlerResponse Server::receive(const httplib::Request& call,
                                                 httplib::Response& response) const {
  using enum httplib::Server::HandlerResponse;
  try {
    expect_allowed(call, response);
  } catch (const ApiError& error) {
    refuse(response, error);
    return Handled;
  }
  if (call.method != "OPTIONS") return Unhandled;
  response.status = 204;
  return Handled;
}

json Server::model() const {
  return {{"id", options_.model_name},
          {"object", "model"},
          {"created", started_s_},
          {"owned_by", "pagedlab"},
          {"max_model_len", engine_.config().scheduler.max_model_len}};
}

void Server::add_routes() {
  using httplib::Request, httplib::Response;
  http_.set_pre_routing_handler(
      [this](const Request& call, Response& response) { return receive(call, response); });
  http_.set_error_handler(refuse_in_words);
  http_.set_post_routing_handler([this](const Request& call, Response& response) {
    const std::string sent = call.get_header_value("x-request-id");
    response.set_header("x-request-id", sent.empty() ? "req-" + std::to_string(++num_ids_) : sent);
    if (connections_->are_many()) leave_rest_unread();
    note_rest(response);
  });
  http_.Get("/health", [this](const Request&, Response& response) {
    if (engine_.is_stopping()) refuse(response, about_to_stop());
  });
  add_openai_routes();
  http_.Get("/metrics", [this](const Request&, Response& response) {
    response.set_content(metrics_page(engine_.stats(), options_.model_name),
                         "text/plain; version=0.0.4");
  });
  page_routes_.add_to(http_);
  refuse_other_posts(http_);
}

void Server::add_openai_routes() {
  using httplib::Request, httplib::Response;
  http_.Get("/v1/models", [this](const Request&, Response& response) {
    const json models = {{"object", "list"}, {"data", json::array({model()})}};
    response.set_content(text_of(models), "application/json");
  });
  http_.Get("/v1/models/(.+)", [this](const Request& call, Response& response) {
    if (call.matches[1] != options_.model_name)
      return refuse(response, no_model(call.matches[1], options_.model_name));
    response.set_content(text_of(model()), "application/json");
  });
  for (const auto& [path, endpoint] : {std::pair{"/v1/completions", Endpoint::kCompletions},
                                       {"/v1/chat/completions", Endpoint::kChatCompletions},
                                       {"/v1/responses", Endpoint::kResponses}})
    add_post(http_, path, [this, asked = endpoint](const Request& call, Response& response) {
      answer_completion(asked, call, response);
    });
}

std::shared_ptr<Completion> Server::completion_of(Endpoint endpoint, const std::string& body) {
  const CallLimits limits = {.model = options_.model_name,
                             .max_model_len = engine_.config().scheduler.max_model_len,
                             .max_requests = options_.max_open_requests};
  CompletionCall call = read_completion_call(endpoint, body, speaker_, limits);
  const std::string& model = options_.model_name;
  if (endpoint == Endpoint::kResponses)
    return std::make_shared<ResponsesCompletion>(engine_, speaker_, std::move(call), model,
                                                 ++num_calls_);
  return std::make_shared<ChoicesCompletion>(engine_, speaker_, std::move(call), model,
                                             ++num_calls_);
}

void Server::answer_completion(Endpoint endpoint,
                               const httplib::Request& call,
                               httplib::Response& response) {
  const auto completion = completion_of(endpoint, call.body);
  if (!completion->is_stream()) return answer_at_once(*completion, engine_, call, response);
  streams_.add(response, [completion](std::size_t, httplib::DataSink& sink) {
    return stream_news(*completion, sink);
  });
}

}  // namespace kv::serve
