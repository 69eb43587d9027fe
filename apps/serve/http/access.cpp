#include "apps/serve/http/access.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace kv::serve {
namespace {

std::string in_lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return text;
}

// Nothing, or ":8000".
bool is_port(std::string_view text) {
  return text.empty() || (text.size() > 1 && text.find_first_not_of("0123456789", 1) == text.npos &&
                          text[0] == ':');
}

// "[::1]:8000" -> "::1", "http://localhost:8000" -> "localhost"; empty: it is neither a host nor an
// origin.
std::string name_in(const std::string& text) {
  const std::string lower = in_lower_case(text);
  std::string_view rest = lower;
  const std::size_t end_of_scheme = rest.find("://");
  if (end_of_scheme != rest.npos) rest.remove_prefix(end_of_scheme + 3);

  const bool has_brackets = rest.starts_with('[');
  const std::size_t end = std::min(rest.find(has_brackets ? ']' : ':'), rest.size());
  if (has_brackets && end == rest.size()) return "";
  const std::string_view name = has_brackets ? rest.substr(1, end - 1) : rest.substr(0, end);
  return is_port(rest.substr(has_brackets ? end + 1 : end)) ? std::string(name) : "";
}

bool is_address(const std::string& name) {
  in6_addr address;
  return ::inet_pton(AF_INET, name.c_str(), &address) == 1 ||
         ::inet_pton(AF_INET6, name.c_str(), &address) == 1;
}

bool is_this_machine(const std::string& name) {
  return name == "localhost" || name == "::1" || (name.starts_with("127.") && is_address(name));
}

// A page of a file, say, has the origin "null", which --allow-origin does not take.
std::string refusal_of_pages(const std::string& origin) {
  if (origin == "null")
    return "pages without an address, as those of files, cannot call this server; --allow-origin "
           "takes the address of a page that has one";
  return "pages of " + origin + " cannot call this server; --allow-origin " + origin + " lets them";
}

}  // namespace

Access::Access(std::string host, std::vector<std::string> allowed_origins, std::string api_key)
    : host_(in_lower_case(std::move(host))),
      allowed_origins_(std::move(allowed_origins)),
      api_key_(std::move(api_key)) {}

// Why any address: a page that its owner's name server leads to this machine (DNS rebinding) calls
// with its name.
bool Access::is_own_host(const std::string& name) const {
  return is_this_machine(name) || is_address(name) || name == host_ ||
         std::ranges::any_of(allowed_origins_,
                             [&](const auto& origin) { return name_in(origin) == name; });
}

bool Access::is_allowed_origin(const std::string& origin, const std::string& host) const {
  const std::string name = name_in(origin);
  return origin == "http://" + host || is_this_machine(name) || name == host_ ||
         std::ranges::find(allowed_origins_, origin) != allowed_origins_.end();
}

void Access::expect_allowed_page(const httplib::Request& call) const {
  const std::string host = call.get_header_value("Host");
  if (!host.empty() && !is_own_host(name_in(host)))
    throw ApiError(403, "this server is not called \"" + host + "\"; --allow-origin http://" +
                            host + " gives it that name");

  const std::string origin = call.get_header_value("Origin");
  if (!origin.empty() && !is_allowed_origin(origin, host))
    throw ApiError(403, refusal_of_pages(origin));

  // Why: for a picture, say, a browser sends no Origin. A link to the page of this server is no
  // call.
  if (origin.empty() && call.path != "/" && call.get_header_value("Sec-Fetch-Site") == "cross-site")
    throw ApiError(403, "pages of other sites cannot call this server");
}

void Access::permit_page(const httplib::Request& call, httplib::Response& response) {
  response.set_header("Vary", "Origin");
  if (!call.has_header("Origin")) return;
  response.set_header("Access-Control-Allow-Origin", call.get_header_value("Origin"));
  response.set_header("Access-Control-Allow-Methods", "GET, POST");
  response.set_header("Access-Control-Allow-Headers", "Authorization, *");
  response.set_header("Access-Control-Expose-Headers", "*");
}

bool Access::has_key(const httplib::Request& call) const {
  const bool is_open = call.path == "/" || call.path == "/health" || call.path == "/metrics";
  if (api_key_.empty() || is_open) return true;
  const std::string given = call.get_header_value("Authorization");
  const std::size_t space = std::min(given.find(' '), given.size());
  return in_lower_case(given.substr(0, space)) == "bearer" && given.substr(space) == " " + api_key_;
}

}  // namespace kv::serve
