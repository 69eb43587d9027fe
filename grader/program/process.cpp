#include "grader/program/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <random>

#include "grader/program/child.h"
#include "grader/program/errors.h"
#include "grader/program/running_groups.h"

namespace kv::grader {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMaxOutputBytes = 64 * 1024;

std::string fresh_nonce() {
  std::random_device random;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string nonce;
  while (nonce.size() < 32) nonce += kDigits[random() % kDigits.size()];
  return nonce;
}

// One end of a pipe that a child writes: what came out of it, and the lines as they come.
class Reader {
 public:
  Reader(int fd, std::size_t max_bytes) : fd_(fd), max_bytes_(max_bytes) {
    if (fd_ >= 0) ::fcntl(fd_, F_SETFL, O_NONBLOCK);
  }
  ~Reader() { close(); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  int fd() const { return fd_; }
  std::string take() { return std::move(text_); }

  void read_available(const std::function<void(const std::string&)>& on_line) {
    std::array<char, 16 * 1024> bytes;
    ssize_t size = 0;
    while (fd_ >= 0 && (size = ::read(fd_, bytes.data(), bytes.size())) > 0) {
      const std::string_view chunk(bytes.data(), static_cast<std::size_t>(size));
      text_ += chunk.substr(0, max_bytes_ - std::min(max_bytes_, text_.size()));
      if (on_line) tell_lines(chunk, on_line);
    }
    if (size == 0) close();
  }

 private:
  void tell_lines(std::string_view chunk, const std::function<void(const std::string&)>& on_line) {
    for (const char c : chunk) {
      if (c != '\n') {
        line_ += c;
        continue;
      }
      on_line(line_);
      line_.clear();
    }
  }

  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

  int fd_;
  std::size_t max_bytes_;
  std::string text_;
  std::string line_;
};

void wait_readable(const Reader& output, const Reader& channel) {
  std::array<pollfd, 2> fds = {pollfd{output.fd(), POLLIN, 0}, pollfd{channel.fd(), POLLIN, 0}};
  // Why so short when both are closed: then nothing but the clock says when to look again.
  const bool both_closed = output.fd() < 0 && channel.fd() < 0;
  ::poll(fds.data(), fds.size(), both_closed ? 1 : 20);
}

double seconds_of(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

Outcome run(const Command& command) {
  Outcome outcome;
  if (command.has_channel) outcome.nonce = fresh_nonce();
  const Child child = spawn(command, outcome.nonce);
  const RunningGroup group(child.pid);
  Reader output(child.output_fd, kMaxOutputBytes);
  Reader channel(child.channel_fd, 4 * kMaxOutputBytes);

  const auto started = Clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(Clock::now() - started).count();
  };
  int status = 0;
  rusage usage{};
  bool asked_to_stop = false;
  while (::wait4(child.pid, &status, WNOHANG, &usage) == 0) {
    wait_readable(output, channel);
    output.read_available(command.on_line);
    channel.read_available({});
    if (!command.limits || elapsed() < command.limits->wall_seconds()) continue;
    outcome.timed_out = true;
    // First a chance for its last words, then the end.
    constexpr double kLastWordsSeconds = 0.2;
    const bool patience_over = elapsed() > command.limits->wall_seconds() + kLastWordsSeconds;
    if (patience_over || !asked_to_stop) ::kill(-child.pid, patience_over ? SIGKILL : SIGTERM);
    asked_to_stop = true;
  }
  ::kill(-child.pid, SIGKILL);
  output.read_available(command.on_line);
  channel.read_available({});

  outcome.seconds = seconds_of(usage);
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const bool used_its_time =
      command.limits && outcome.seconds >= command.limits->cpu_seconds * 0.95;
  outcome.timed_out |= outcome.signal == SIGXCPU || (outcome.signal == SIGKILL && used_its_time);
  outcome.output = output.take();
  outcome.channel = channel.take();
  return outcome;
}

bool is_installed(const std::string& program) {
  return run({.argv = {"sh", "-c", "command -v \"$0\"", program}}).ok();
}

}  // namespace kv::grader
