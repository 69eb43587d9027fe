#include "apps/serve/http/call_body.h"

#include "apps/serve/http/http_answer.h"

namespace kv::serve {
namespace {

thread_local bool has_rest = false;  // a body may be unread on the thread's connection

bool announces_body(const httplib::Request& call) {
  return call.has_header("Transfer-Encoding") || call.has_header("Content-Length");
}

// status: that of the library.
ApiError incomplete_body(int status, const httplib::Request& call) {
  const std::string packing = call.get_header_value("Content-Encoding");
  if (status == 413) return {413, reason_of(413, call)};
  if (status == 415) return {415, "this server cannot unpack \"" + packing + "\""};
  if (packing.empty()) return {400, "the body ends too early"};
  return {400, "the body cannot be unpacked as \"" + packing + "\", or it ends too early"};
}

// Why all is read: the answer comes after the last byte, and then the connection can be used again.
std::string read_body(const httplib::Request& call,
                      const httplib::ContentReader& read,
                      int& library_status) {
  std::string body;
  if (!announces_body(call)) return body;
  if (call.is_multipart_form_data())
    throw ApiError(415, "the body has to be JSON, and not a form of several parts");

  std::size_t num_bytes = 0;
  const bool is_complete = read([&](const char* bytes, std::size_t size) {
    num_bytes += size;
    if (num_bytes <= kMostBytesOfBody) body.append(bytes, size);
    return true;
  });
  if (!is_complete) throw incomplete_body(library_status, call);
  has_rest = false;
  if (num_bytes > kMostBytesOfBody) throw incomplete_body(413, call);
  return body;
}

}  // namespace

// Why a POST without a length counts: some versions of the library wait for its body.
bool is_call(const httplib::Request& call) {
  if (has_rest) return false;
  has_rest = announces_body(call) || call.method == "POST";
  return true;
}

void leave_rest_unread() {
  has_rest = true;
}

void note_rest(httplib::Response& response) {
  if (!has_rest) return;
  response.headers.erase("Keep-Alive");
  response.headers.erase("Connection");
  response.set_header("Connection", "close");
}

void add_post(httplib::Server& http, const std::string& path, CallHandler handler) {
  http.Post(path, [handler = std::move(handler)](const httplib::Request& call,
                                                 httplib::Response& response,
                                                 const httplib::ContentReader& read) {
    try {
      httplib::Request whole = call;
      whole.body = read_body(call, read, response.status);
      handler(whole, response);
    } catch (const ApiError& error) {
      refuse(response, error);
    }
  });
}

void refuse_other_posts(httplib::Server& http) {
  http.Post(".*", [](const httplib::Request& call, httplib::Response& response,
                     const httplib::ContentReader&) {
    refuse(response, ApiError(404, reason_of(404, call)));
  });
}

}  // namespace kv::serve
