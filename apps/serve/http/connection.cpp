#include "apps/serve/http/connection.h"

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

namespace kv::serve {
namespace {

constexpr int kMostFiles = 4096;

// Why the second way: to read the folder takes one more file, and there may be none.
std::vector<int> open_files() {
  std::vector<int> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/fd", error))
    files.push_back(std::stoi(entry.path().filename()));
  for (int file = 0; error && file < kMostFiles; ++file) files.push_back(file);
  return files;
}

// "127.0.0.1 40112"; empty: it is no socket, or that end of it has no address.
// of_end: getpeername or getsockname.
std::string address_of(int file, decltype(::getpeername) of_end) {
  sockaddr_storage storage = {};
  auto* const address = reinterpret_cast<sockaddr*>(&storage);
  socklen_t size = sizeof(storage);
  std::array<char, NI_MAXHOST> host;
  std::array<char, NI_MAXSERV> port;
  if (of_end(file, address, &size) != 0) return "";
  if (::getnameinfo(address, size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "";
  return std::string(host.data()) + " " + port.data();
}

}  // namespace

Connection::Connection(const httplib::Request& call) {
  const std::string client = call.remote_addr + " " + std::to_string(call.remote_port);
  for (const int file : open_files())
    if (address_of(file, ::getpeername) == client) socket_ = file;
}

#ifdef POLLRDHUP
bool Connection::is_closed() const {
  pollfd watched = {.fd = socket_, .events = POLLRDHUP, .revents = 0};
  return ::poll(&watched, 1, 0) > 0;
}
#else
// What a client has sent beside its call hides its end here.
bool Connection::is_closed() const {
  char byte = 0;
  const auto num_bytes = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return num_bytes == 0 || (num_bytes < 0 && errno != EAGAIN && errno != EINTR);
}
#endif

void stop_reading(int port) {
  for (const int file : open_files())
    if (address_of(file, ::getsockname).ends_with(" " + std::to_string(port)))
      ::shutdown(file, SHUT_RD);
}

}  // namespace kv::serve
