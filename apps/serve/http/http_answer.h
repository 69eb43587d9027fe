#pragma once
// What every answer of the server is made of.

#include <httplib.h>

#include <string>

#include "apps/serve/http/api_error.h"

namespace kv::serve {

inline void refuse(httplib::Response& response, const ApiError& error) {
  response.status = error.status;
  if (error.status == 429) response.set_header("Retry-After", "1");
  response.set_content(text_of(json_of(error)), "application/json");
}

// Why the library refuses a call. Until it has a call, it says so by a status alone.
inline std::string reason_of(int status, const httplib::Request& call) {
  if (status == 404) return "there is no " + call.method + " " + call.path;
  if (status == 413) return "the body has more than 1 MiB";
  if (status == 414) return "the URL has more than 8 KiB";
  if (status == 416) return "the header Range cannot be read";
  if (status < 500) return "this is no call of HTTP/1.1, or one of its headers has more than 8 KiB";
  return "the server has failed at this call";
}

inline bool write(httplib::DataSink& sink, const std::string& text) {
  return sink.write(text.data(), text.size());
}

}  // namespace kv::serve
