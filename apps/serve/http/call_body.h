#pragma once
// The bodies of the calls of a connection. The rest of a body that is not read to its end must
// never be taken for the next call: a web page could hide a call in it.

#include <httplib.h>

#include <functional>
#include <string>

namespace kv::serve {

inline constexpr std::size_t kMostBytesOfBody = std::size_t{1} << 20;  // unpacked

// At the begin of each call. False: this is the rest of a body.
bool is_call(const httplib::Request& call);

// For a call that the library has refused: where its end is, is not known.
void leave_rest_unread();

// At the end of each call: its connection ends if there may be a rest.
void note_rest(httplib::Response& response);

using CallHandler = std::function<void(const httplib::Request& call, httplib::Response& response)>;

// The handler gets calls with their bodies, as those of the library do; but the limit holds for
// what is unpacked, for chunks without a length, and for every type.
void add_post(httplib::Server& http, const std::string& path, CallHandler handler);

// Why not left to the library: it would read their bodies, without a limit. Requires: add_post()
// has added all others.
void refuse_other_posts(httplib::Server& http);

}  // namespace kv::serve
