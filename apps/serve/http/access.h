#pragma once
// Who may call. A browser lets every web page that its user visits send calls to this machine; so
// the server looks at the names in them, as Jupyter and Ollama do.

#include <httplib.h>

#include <string>
#include <vector>

#include "apps/serve/http/api_error.h"

namespace kv::serve {

class Access {
 public:
  // host: the server listens at it. allowed_origins: "https://name:port" of pages that may call
  // besides those of this machine; with their names the server can be called, too.
  // api_key: empty: none is asked for.
  Access(std::string host, std::vector<std::string> allowed_origins, std::string api_key);

  // Throws ApiError for a call that a page has sent and is not allowed to send.
  void expect_allowed_page(const httplib::Request& call) const;
  // Lets a browser give the answer to the page. Requires: it may send the call.
  static void permit_page(const httplib::Request& call, httplib::Response& response);

  // Without the key, one gets the page, which asks for it, and what programs look at.
  bool has_key(const httplib::Request& call) const;

 private:
  bool is_own_host(const std::string& name) const;
  bool is_allowed_origin(const std::string& origin, const std::string& host) const;

  std::string host_;
  std::vector<std::string> allowed_origins_;
  std::string api_key_;
};

}  // namespace kv::serve
