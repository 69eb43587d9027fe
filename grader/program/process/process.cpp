#include "grader/program/process/process.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <random>

#include "grader/program/process/child.h"
#include "grader/program/process/pipe_reader.h"
#include "grader/program/process/running_groups.h"

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

void wait_readable(const PipeReader& output, const PipeReader& channel) {
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

// Feeds the readers until the child has ended; past the wall clock asks it to stop, then stops it.
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
    if (!command.limits) return;
    constexpr double kLastWordsSeconds = 0.2;
    const double elapsed = std::chrono::duration<double>(Clock::now() - started).count();
    const double overtime = elapsed - command.limits->wall_seconds();
    if (overtime > 0 && !asked_to_stop) ::kill(-child.pid, SIGTERM);
    if (overtime > kLastWordsSeconds) ::kill(-child.pid, SIGKILL);
    asked_to_stop |= overtime > 0;
  }

  int wait(rusage& usage) {
    int status = 0;
    while (::wait4(child.pid, &status, WNOHANG, &usage) == 0) {
      wait_readable(output, channel);
      read_available();
      enforce_wall_clock();
    }
    ::kill(-child.pid, SIGKILL);
    read_available();
    return status;
  }
};

}  // namespace

Outcome run(const Command& command) {
  Outcome outcome;
  if (command.has_channel) outcome.nonce = fresh_nonce();
  const Child child = spawn(command, outcome.nonce);
  const RunningGroup group(child.pid);
  PipeReader output(child.output_fd, kMaxOutputBytes);
  PipeReader channel(child.channel_fd, 4 * kMaxOutputBytes);
  ProcessMonitor watch{command, child, output, channel};
  rusage usage{};
  const int status = watch.wait(usage);

  outcome.seconds = seconds_of(usage);
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  const bool used_its_time =
      command.limits && outcome.seconds >= command.limits->cpu_seconds * 0.95;
  outcome.timed_out = watch.asked_to_stop || outcome.signal == SIGXCPU ||
                      (outcome.signal == SIGKILL && used_its_time);
  outcome.output = output.take();
  outcome.channel = channel.take();
  return outcome;
}

bool is_installed(const std::string& program) {
  return run({.argv = {"sh", "-c", "command -v \"$0\"", program}}).ok();
}

}  // namespace kv::grader
