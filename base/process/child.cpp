#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "base/process/process.h"
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "base/process/descendants.h"
#include "base/process/watcher.h"
#include "base/text/errors.h"
#include "base/text/machine.h"

extern char** environ;

namespace kv::grader {
namespace {

constexpr int kChannelFd = 3;
constexpr int kNonceFd = 4;

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

[[noreturn]] void refuse_to_start(int reason) {
  const std::string why = std::strerror(reason);
  throw MachineFailed("cannot start a process: " + machine_refusal(why).value_or(why));
}

Pipe open_pipe() {
  std::array<int, 2> fds;
  if (::pipe(fds.data()) != 0) refuse_to_start(errno);
  for (const int fd : fds) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return {fds[0], fds[1]};
}

// Why so few: the result of a test must not depend on the grader's environment.
bool is_inherited(const Command& command, const std::string& name) {
  return !command.limits || name == "PATH" || name == "TMPDIR" || name == "LD_LIBRARY_PATH";
}

// All threads and processes of this machine, and a margin: a fork bomb stops; a test that runs
// histories in forked children does not, on a machine with many cores either. Never 0. Reads a
// file, so it is asked before the fork.
std::size_t process_limit() {
  constexpr std::size_t kMargin = 256;
  std::size_t num_tasks = 4096;
  if (std::FILE* load = std::fopen("/proc/loadavg", "r")) {
    unsigned long tasks = 0;
    if (std::fscanf(load, "%*f %*f %*f %*d/%lu", &tasks) == 1) num_tasks = tasks;
    std::fclose(load);
  }
  return num_tasks + kMargin;
}

// Everything that allocates memory, done before the fork.
struct Image {
  std::vector<std::string> variables;
  std::vector<char*> argv;
  std::vector<char*> envp;
  std::optional<LandlockRules> rules;
  bool has_own_namespace = false;
  std::size_t num_processes = process_limit();

  explicit Image(const Command& command) {
    for (const std::string& argument : command.argv)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    for (const auto& [name, value] : command.environment) variables.push_back(name + "=" + value);
    if (command.has_channel) {
      variables.push_back("KV_CHANNEL=" + std::to_string(kChannelFd) + " " +
                          std::to_string(kNonceFd));
    }
    for (std::string& variable : variables) envp.push_back(variable.data());
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string name(*entry, std::strcspn(*entry, "="));
      if (!command.environment.contains(name) && is_inherited(command, name))
        envp.push_back(*entry);
    }
    envp.push_back(nullptr);
    if (command.access) rules.emplace(*command.access);
    has_own_namespace = command.limits && has_process_namespaces();
  }

  int rules_fd() const { return rules ? rules->fd() : -1; }
};

void set_limit(int resource, rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  ::setrlimit(static_cast<decltype(RLIMIT_CPU)>(resource), &limit);
}

// Stays when another program is executed, and is not handed to a process that that one starts.
void set_timer(double cpu_seconds) {
  double seconds = 0;
  const double rest = std::modf(cpu_seconds, &seconds);
  const itimerval once{.it_interval = {},
                       .it_value = {.tv_sec = static_cast<time_t>(seconds),
                                    .tv_usec = static_cast<suseconds_t>(rest * 1e6) + 1}};
  ::setitimer(ITIMER_PROF, &once, nullptr);
}

// Called in the child: from here on the kernel enforces the limits.
void apply(const Limits& limits, std::size_t num_processes) {
  const auto cpu_seconds = static_cast<rlim_t>(std::ceil(limits.cpu_seconds));
  set_limit(RLIMIT_CPU, cpu_seconds, cpu_seconds + 1);  // soft: SIGXCPU, and time for a report
  if (limits.is_exact) set_timer(limits.cpu_seconds);
  set_limit(RLIMIT_CORE, 0, 0);
  set_limit(RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes);
  set_limit(RLIMIT_NPROC, num_processes, num_processes);
  if (limits.memory_bytes) set_limit(RLIMIT_AS, *limits.memory_bytes, *limits.memory_bytes);
}

// Why one call if there is one: each test needs it, and a thousand calls take a tenth of a
// millisecond.
void close_each(int first_fd, int last_fd) {
  if (first_fd > last_fd) return;
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, first_fd, last_fd, 0) == 0) return;
#endif
  for (int fd = first_fd; fd <= last_fd; ++fd) ::close(fd);
}

// Standard input, output and error, the channel, the rules, and no other file.
void set_descriptors(
    const Command& command, const Image& image, int output_fd, int channel_fd, int nonce_fd) {
  ::dup2(::open(command.input.c_str(), O_RDONLY), STDIN_FILENO);
  ::dup2(output_fd, STDOUT_FILENO);
  ::dup2(output_fd, STDERR_FILENO);
  if (command.has_channel) {
    // Why two moves: either end may itself be 3 or 4.
    const int channel = ::fcntl(channel_fd, F_DUPFD, 10);
    const int nonce = ::fcntl(nonce_fd, F_DUPFD, 10);
    ::dup2(channel, kChannelFd);
    ::dup2(nonce, kNonceFd);
    ::close(channel);
    ::close(nonce);
  }
  if (!command.limits) return;
  close_all_from(command.has_channel ? kNonceFd + 1 : STDERR_FILENO + 1, image.rules_fd());
}

[[noreturn]] void exec_child(const Command& command, const Image& image, pid_t parent) {
  ::setsid();
  watch_own_session();
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != parent) _exit(127);
  if (image.has_own_namespace) enter_process_namespace();
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ}) {
    std::signal(signal_number, SIG_DFL);
  }
  if (image.rules && !image.rules->enforce()) _exit(127);
  if (command.limits) apply(*command.limits, image.num_processes);
  if (command.calls && !allow_only(*command.calls)) _exit(127);  // last: it refuses the calls above
  environ = const_cast<char**>(image.envp.data());
  ::execvp(image.argv[0], image.argv.data());
  _exit(127);
}

}  // namespace

void hide_memory() {
#ifdef __linux__
  ::prctl(PR_SET_DUMPABLE, 0);
#endif
}

void close_all_from(int first_fd, int kept_fd) {
  constexpr int kMaxInheritedFd = 1023;
  close_each(first_fd, kept_fd - 1);
  close_each(std::max(first_fd, kept_fd + 1), kMaxInheritedFd);
}

Child spawn(const Command& command, const std::string& nonce) {
  static std::mutex
      one_at_a_time;  // a fork between pipe and fcntl would leak the pipe of another test
  const std::lock_guard guard(one_at_a_time);
  const Image image(command);
  const Pipe output = open_pipe();
  const Pipe channel = command.has_channel ? open_pipe() : Pipe{};
  const Pipe secret = command.has_channel ? open_pipe() : Pipe{};
  if (command.has_channel && ::write(secret.write_end, nonce.data(), nonce.size()) < 0) {
    refuse_to_start(errno);
  }
  const pid_t parent = ::getpid();
  const pid_t pid = fork_child();
  const int reason = errno;
  if (pid == 0) {
    set_descriptors(command, image, output.write_end, channel.write_end, secret.read_end);
    exec_child(command, image, parent);
  }
  for (const int fd : {output.write_end, channel.write_end, secret.read_end, secret.write_end}) {
    if (fd >= 0) ::close(fd);
  }
  if (pid < 0) refuse_to_start(reason);
  return {pid, output.read_end, channel.read_end};
}

}  // namespace kv::grader
