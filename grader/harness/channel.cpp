#include "grader/harness/channel.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <span>

#include "grader/harness/record_kinds.h"

namespace kv::grader::channel {
namespace {

constexpr std::size_t kNonceBytes = 32;
constexpr int kFirstPrivateFd = 200;
constexpr int kLeftEarly = 86;

std::array<char, kNonceBytes> nonce;
int private_fd = -1;
bool finished = false;

void refuse_early_exit() {
  if (!finished) _exit(kLeftEarly);
}

iovec piece(std::string_view bytes) {
  return {const_cast<char*>(bytes.data()), bytes.size()};
}

// Why one system call: threads send too, and a pipe keeps what comes in one together, up to
// PIPE_BUF bytes.
void write_all(std::span<iovec> pieces) {
  while (!pieces.empty()) {
    const ssize_t result = ::writev(private_fd, pieces.data(), static_cast<int>(pieces.size()));
    if (result <= 0) return;
    auto written = static_cast<std::size_t>(result);
    while (!pieces.empty() && written >= pieces.front().iov_len) {
      written -= pieces.front().iov_len;
      pieces = pieces.subspan(1);
    }
    if (pieces.empty()) return;
    pieces.front().iov_base = static_cast<char*>(pieces.front().iov_base) + written;
    pieces.front().iov_len -= written;
  }
}

// KV_CHANNEL="<write fd> <nonce fd>". Why a constructor of the first priority: it runs before any
// static initializer of the student's files.
__attribute__((constructor(101))) void open_channel() {
  std::atexit(refuse_early_exit);
#ifndef __APPLE__
  std::at_quick_exit(refuse_early_exit);
#endif
  const char* description = std::getenv("KV_CHANNEL");
  if (description == nullptr) return;
  char* rest = nullptr;
  const int write_fd = static_cast<int>(std::strtol(description, &rest, 10));
  const int nonce_fd = static_cast<int>(std::strtol(rest, nullptr, 10));
  ::unsetenv("KV_CHANNEL");
  if (::read(nonce_fd, nonce.data(), kNonceBytes) == static_cast<ssize_t>(kNonceBytes)) {
    private_fd = ::fcntl(write_fd, F_DUPFD_CLOEXEC, kFirstPrivateFd);
  }
  ::close(nonce_fd);
  ::close(write_fd);
}

}  // namespace

bool is_open() {
  return private_fd >= 0;
}

void send(std::string_view kind, std::string_view payload) {
  if (!is_open()) return;
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), payload.size()).ptr;
  std::array<iovec, 8> record = {
      piece({nonce.data(), kNonceBytes}), piece(" "),  piece(kind),    piece(" "),
      piece({digits.data(), end}),        piece("\n"), piece(payload), piece("\n")};
  write_all(record);
}

void close() {
  if (is_open()) ::close(private_fd);
  private_fd = -1;
}

bool is_finished() {
  return finished;
}

void finish() {
  finished = true;
  send(record_kind::kDone, "");
}

}  // namespace kv::grader::channel
