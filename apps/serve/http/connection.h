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

// Nothing more is read from the connections that came in at this port, so those that wait for a
// call end.
void stop_reading(int port);

}  // namespace kv::serve
