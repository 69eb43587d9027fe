#pragma once
// The connection that a call came through.

#include <httplib.h>

namespace kv::serve {

// Why looked for: the library gives it to no handler, and only it says that a client has gone.
class Connection {
 public:
  explicit Connection(const httplib::Request& call);

  bool is_closed() const;  // by the client

 private:
  int socket_ = -1;
};

}  // namespace kv::serve
