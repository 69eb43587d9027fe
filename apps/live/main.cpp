// What a page's worker calls, by names that JavaScript has. Texts are UTF-8, and an answer is good
// until the next call.

#include <emscripten/emscripten.h>

#include <memory>

#include "apps/live/live_engine.h"
#include "apps/serve/http/api_error.h"

namespace kv::live {
namespace {

std::unique_ptr<LiveEngine> engine;

// What an answer has to say, or why there is none, with the status that the server would give.
template <typename Answer>
const char* answer(const Answer& make_answer) {
  static std::string text;
  const auto refused = [](const serve::ApiError& error) {
    nlohmann::json said = serve::json_of(error);
    said["status"] = error.status;
    return said;
  };
  try {
    text = serve::text_of(make_answer());
  } catch (const serve::ApiError& error) {
    text = serve::text_of(refused(error));
  } catch (...) {
    text = serve::text_of(refused(serve::error_of(std::current_exception())));
  }
  return text.c_str();
}

}  // namespace
}  // namespace kv::live

extern "C" {

// Reads the model, which is in the program itself, as files.
EMSCRIPTEN_KEEPALIVE const char* live_begin() {
  return kv::live::answer([] {
    kv::live::engine = std::make_unique<kv::live::LiveEngine>("/model");
    return nlohmann::json::object();
  });
}

EMSCRIPTEN_KEEPALIVE const char* live_post(const char* path, const char* body) {
  return kv::live::answer([&] { return kv::live::engine->post(path, body); });
}

// true or false.
EMSCRIPTEN_KEEPALIVE const char* live_step() {
  return kv::live::answer([] { return kv::live::engine->step(); });
}

EMSCRIPTEN_KEEPALIVE const char* live_event() {
  return kv::live::answer([] { return kv::live::engine->take_event(); });
}

EMSCRIPTEN_KEEPALIVE const char* live_logits_hash() {
  return kv::live::answer([] { return kv::live::engine->logits_hash(); });
}
}
