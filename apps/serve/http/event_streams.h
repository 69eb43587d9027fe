#pragma once
// The streams of server-sent events that are open.

#include <httplib.h>

#include <atomic>

#include "apps/serve/http/http_answer.h"

namespace kv::serve {

// Why counted: the library cuts them off when it stops.
class EventStreams {
 public:
  // The answer of a call. provider: writes events, until it is done.
  // Requires: this is there as long as the response.
  void add(httplib::Response& response, httplib::ContentProviderWithoutLength provider) {
    ++num_open_;
    response.set_chunked_content_provider("text/event-stream", std::move(provider),
                                          [this](bool) { --num_open_; });
  }
  std::size_t num_open() const { return num_open_; }

 private:
  std::atomic<std::size_t> num_open_ = 0;
};

// Events of /v1/responses have a type, which is their name, too. False: the client has gone.
inline bool write_event(httplib::DataSink& sink, const nlohmann::json& event) {
  const auto type = event.find("type");
  const std::string name = type == event.end() ? "" : "event: " + type->get<std::string>() + "\n";
  return write(sink, name + "data: " + text_of(event) + "\n\n");
}

}  // namespace kv::serve
