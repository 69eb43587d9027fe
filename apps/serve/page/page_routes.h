#pragma once
// The page at / and what it calls: the stream of states, the pace, and another pool.

#include <httplib.h>

#include <string>

#include "apps/serve/engine/async_engine.h"
#include "apps/serve/http/event_streams.h"
#include "apps/speaker/speaker.h"

namespace kv::serve {

class PageRoutes {
 public:
  // Throws InputError for a page that cannot be read.
  // Requires: the others are there as long as the routes.
  PageRoutes(const std::filesystem::path& page,
             AsyncEngine& engine,
             const Speaker& speaker,
             EventStreams& streams);

  // Requires: the routes are there as long as the server.
  void add_to(httplib::Server& http);

 private:
  void stream_states(httplib::Response& response);
  void set_pace(const httplib::Request& call, httplib::Response& response);
  void take_step(httplib::Response& response);
  void replace_pool(const httplib::Request& call, httplib::Response& response);

  std::string page_;
  AsyncEngine& engine_;
  const Speaker& speaker_;
  EventStreams& streams_;
};

}  // namespace kv::serve
