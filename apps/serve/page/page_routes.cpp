#include "apps/serve/page/page_routes.h"

#include <fstream>
#include <sstream>

#include "apps/serve/calls/fields.h"
#include "apps/serve/http/call_body.h"
#include "apps/serve/http/http_answer.h"
#include "apps/serve/page/pool_call.h"
#include "apps/serve/page/state_event.h"

namespace kv::serve {
namespace {

using httplib::Request, httplib::Response;

constexpr std::chrono::milliseconds kBetweenVisits{100};  // how long a page's thread waits
constexpr double kMostStepsASecond = 1000;

// A page that watches, and the state that it got last.
struct Watcher {
  std::unique_ptr<StateFeed::Reader> reader;
  std::shared_ptr<const EngineState> last = {};
};

// False: the page has gone. When the engine has stopped because of the tree, the last event says
// so.
bool send_state(Watcher& watcher,
                const AsyncEngine& engine,
                const Speaker& speaker,
                httplib::DataSink& sink) {
  if (!sink.is_writable()) return false;
  if (watcher.reader->is_closed()) {
    if (const auto failure = engine.failure()) write_event(sink, json_of(error_of(failure)));
    sink.done();
    return true;
  }
  const std::shared_ptr<const EngineState> state = watcher.reader->take(kBetweenVisits);
  if (!state) return true;
  const nlohmann::json event = event_of(*state, watcher.last.get(), speaker);
  watcher.last = state;
  return write_event(sink, event);
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError("the page \"" + path.string() + "\" cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

template <typename Answer>
void answer(Response& response, const Answer& make_answer) {
  response.set_content(text_of(make_answer()), "application/json");
}

}  // namespace

PageRoutes::PageRoutes(const std::filesystem::path& page,
                       AsyncEngine& engine,
                       const Speaker& speaker,
                       EventStreams& streams)
    : page_(text_of_file(page)), engine_(engine), speaker_(speaker), streams_(streams) {}

void PageRoutes::add_to(httplib::Server& http) {
  http.Get("/", [this](const Request&, Response& response) {
    response.set_header("Cache-Control", "no-store");
    response.set_content(page_, "text/html; charset=utf-8");
  });
  http.Get("/events", [this](const Request&, Response& response) { stream_states(response); });
  add_post(http, "/pace",
           [this](const Request& call, Response& response) { set_pace(call, response); });
  add_post(http, "/step", [this](const Request&, Response& response) { take_step(response); });
  add_post(http, "/pool",
           [this](const Request& call, Response& response) { replace_pool(call, response); });
}

void PageRoutes::stream_states(Response& response) {
  const auto watcher = std::make_shared<Watcher>(Watcher{engine_.watch()});
  if (!watcher->reader)
    return refuse(response, ApiError(429, std::to_string(StateFeed::kMostReaders) +
                                              " pages watch this server already; close one"));
  response.set_header("Cache-Control", "no-store");
  streams_.add(response, [this, watcher](std::size_t, httplib::DataSink& sink) {
    return send_state(*watcher, engine_, speaker_, sink);
  });
}

void PageRoutes::set_pace(const Request& call, Response& response) {
  answer(response, [&] {
    const nlohmann::json given = parsed(call.body);
    Fields fields(given);
    Pace pace = engine_.pace();
    pace.steps_a_second =
        fields.number("steps_a_second", pace.steps_a_second, 0, kMostStepsASecond);
    if (!fields.value("paused").is_null()) pace.is_paused = fields.flag("paused");
    fields.refuse_others();
    engine_.set_pace(pace);
    return nlohmann::json{{"steps_a_second", pace.steps_a_second}, {"paused", pace.is_paused}};
  });
}

void PageRoutes::take_step(Response& response) {
  answer(response, [&] {
    if (!engine_.take_step())
      throw ApiError(409, engine_.pace().is_paused ? "there is no request to compute"
                                                   : "the engine is not paused: POST /pace");
    return nlohmann::json::object();
  });
}

void PageRoutes::replace_pool(const Request& call, Response& response) {
  answer(response, [&] {
    const EngineConfig config = read_pool_call(call.body, engine_.config(), speaker_);
    engine_.replace(config);
    return json_of(config);
  });
}

}  // namespace kv::serve
