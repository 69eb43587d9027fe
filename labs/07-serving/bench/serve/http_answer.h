#pragma once
// What every answer of the server is made of.

#include <httplib.h>

#include <string>

#include "07-serving/bench/serve/api_error.h"

namespace kv::serve {

// Why replaced: a token can end in the middle of a letter.
inline std::string text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

inline void refuse(httplib::Response& response, const ApiError& error) {
  response.status = error.status;
  if (error.status == 429) response.set_header("Retry-After", "1");
  response.set_content(text_of(json_of(error)), "application/json");
}

inline bool write(httplib::DataSink& sink, const std::string& text) {
  return sink.write(text.data(), text.size());
}

}  // namespace kv::serve
