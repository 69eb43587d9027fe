#include "base/process/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <iterator>
#include <random>
#include <sstream>
#include <utility>

#include "base/process/descendants.h"
#include "base/process/watcher.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMaxOutputBytes = 64 * 1024;
constexpr std::size_t kMaxTrustedBytes = 4 * 1024 * 1024;
// A story of 64 steps, each with lists of 256 items, can be 600 KiB; what ends it must not be cut.
constexpr std::size_t kMaxChannelBytes = 1024 * 1024;

// The reading end of a pipe that a child writes: all that was read, and each line as it arrives.
class PipeReader {
 public:
  PipeReader(int fd, std::size_t max_bytes) : fd_(fd), max_bytes_(max_bytes) {
    if (fd_ >= 0) ::fcntl(fd_, F_SETFL, O_NONBLOCK);
  }
  ~PipeReader() { close(); }
  PipeReader(const PipeReader&) = delete;
  PipeReader& operator=(const PipeReader&) = delete;

  int fd() const { return fd_; }
  std::string take() { return std::move(text_); }

  void read_available(const std::function<void(const std::string&)>& on_line) {
    std::array<char, 16 * 1024> bytes;
    ssize_t size = 0;
    while (fd_ >= 0 && (size = ::read(fd_, bytes.data(), bytes.size())) > 0) {
      const std::string_view chunk(bytes.data(), static_cast<std::size_t>(size));
      text_ += chunk.substr(0, max_bytes_ - std::min(max_bytes_, text_.size()));
      if (on_line) report_lines(chunk, on_line);
    }
    if (size != 0) return;
    const std::string last = std::exchange(line_, "");  // without a newline
    if (on_line && !last.empty()) on_line(last);
    close();
  }

 private:
  void report_lines(std::string_view chunk,
                    const std::function<void(const std::string&)>& on_line) {
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

void wait_readable(const PipeReader& output, const PipeReader& channel) {
  std::array<pollfd, 2> fds = {pollfd{output.fd(), POLLIN, 0}, pollfd{channel.fd(), POLLIN, 0}};
  // Why so short when both are closed: then poll is nothing but a pause between two looks.
  const bool both_closed = output.fd() < 0 && channel.fd() < 0;
  ::poll(fds.data(), fds.size(), both_closed ? 1 : 20);
}

double seconds_of(const rusage& usage) {
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

// Reads the pipes until the child has ended. After its wall clock time, sends SIGTERM, then
// SIGKILL.
struct ProcessMonitor {
  const Command& command;
  const Child& child;
  PipeReader& output;
  PipeReader& channel;
  Clock::time_point started = Clock::now();
  bool asked_to_stop = false;

  void read_available() {
    output.read_available(command.on_line);
    channel.read_available({});
  }

  void enforce_wall_clock() {
    const auto allowed = command.limits ? command.limits->wall_seconds() : command.wall_seconds;
    if (!allowed) return;
    constexpr double kTimeToReportSeconds = 0.2;
    const double elapsed = std::chrono::duration<double>(Clock::now() - started).count();
    const double overtime = elapsed - *allowed;
    if (overtime > 0 && !asked_to_stop) ::kill(-child.pid, SIGTERM);
    if (overtime > kTimeToReportSeconds) ::kill(-child.pid, SIGKILL);
    asked_to_stop |= overtime > 0;
  }

  int wait(rusage& usage) {
    int status = 0;
    while (::wait4(child.pid, &status, WNOHANG, &usage) == 0) {
      wait_readable(output, channel);
      read_available();
      enforce_wall_clock();
    }
    // Why not the whole session of a test: that reads /proc, and there are thousands of tests.
    command.limits ? ::kill(-child.pid, SIGKILL) : signal_session(child.pid, SIGKILL);
    stop_watching(child.pid);
    forget_child(child.pid);
    if (command.access && !has_process_namespaces()) end_orphans();
    read_available();
    return status;
  }
};

}  // namespace

Outcome run(const Command& command) {
  Outcome outcome;
  if (command.has_channel) outcome.nonce = fresh_nonce();
  const Child child = spawn(command, outcome.nonce);
  PipeReader output(child.output_fd, command.limits ? kMaxOutputBytes : kMaxTrustedBytes);
  PipeReader channel(child.channel_fd, kMaxChannelBytes);
  ProcessMonitor monitor{command, child, output, channel};
  rusage usage{};
  const int status = monitor.wait(usage);

  outcome.seconds = seconds_of(usage);
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const bool used_its_time =
      command.limits && outcome.seconds >= command.limits->cpu_seconds * 0.95;
  outcome.timed_out = monitor.asked_to_stop || outcome.signal == SIGXCPU ||
                      outcome.signal == SIGPROF || (outcome.signal == SIGKILL && used_its_time);
  outcome.output = output.take();
  outcome.channel = channel.take();
  return outcome;
}

std::vector<std::string> isolation_of_tests() {
  std::vector<std::string> held = {"limits of time, memory, file size and processes"};
  if (has_process_namespaces()) held.push_back("a namespace of processes for each test");
  const int version = landlock_version();
  if (version > 0) held.push_back("files: Landlock, version " + std::to_string(version));
  if (version >= 4) held.push_back("no TCP: Landlock");
  if (can_limit_kernel_calls()) held.push_back("a list of calls of the kernel: seccomp");
  return held;
}

std::string fresh_nonce() {
  std::random_device random;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string nonce;
  while (nonce.size() < 32) nonce += kDigits[random() % kDigits.size()];
  return nonce;
}

bool is_installed(const std::string& program) {
  return run({.argv = {"sh", "-c", "command -v \"$0\"", program}}).ok();
}

void require_installed(const std::string& program, const std::string& packages) {
  if (!is_installed(program))
    throw UsageError("missing: " + program + ". To get it: apt-get install " + packages);
}

std::vector<std::string> compiler_words(const std::string& text) {
  if (is_installed(text)) return {text};
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace kv::grader
