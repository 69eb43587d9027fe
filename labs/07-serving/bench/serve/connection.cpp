#include "07-serving/bench/serve/connection.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

namespace kv::serve {
namespace {

// "127.0.0.1 40112"; empty: it is no socket, or nobody is at its other end.
std::string client_of(int socket) {
  sockaddr_storage storage = {};
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  socklen_t size = sizeof(storage);
  std::array<char, NI_MAXHOST> host;
  std::array<char, NI_MAXSERV> port;
  if (::getpeername(socket, address, &size) != 0) return "";
  if (::getnameinfo(address, size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "";
  return std::string(host.data()) + " " + port.data();
}

}  // namespace

Connection::Connection(const httplib::Request& call) {
  const std::string client = call.remote_addr + " " + std::to_string(call.remote_port);
  const int num_files = static_cast<int>(::sysconf(_SC_OPEN_MAX));
  for (int file = 0; file < num_files && socket_ < 0; ++file)
    if (client_of(file) == client) socket_ = file;
}

bool Connection::is_closed() const {
  char byte = 0;
  const auto num_bytes = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return num_bytes == 0 || (num_bytes < 0 && errno != EAGAIN && errno != EINTR);
}

}  // namespace kv::serve
