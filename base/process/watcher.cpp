#include "base/process/watcher.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/process/descendants.h"
#include "base/process/process.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

constexpr useconds_t kPauseMicroseconds = 10'000;
constexpr int kPausesToEnd = 100;  // Ninja and g++ remove unfinished files on SIGTERM

// The leaders of the sessions that run now, in memory that the watcher shares; 0: a free place.
using Leaders = std::array<std::atomic<pid_t>, 1024>;
Leaders* leaders = nullptr;

// A process that has ended is found as long as nobody has waited for it.
void reap_children() {
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
}

bool signal_all(int signal_number) {
  reap_children();
  bool found = false;
  for (const auto& place : *leaders) {
    const pid_t leader = place.load();
    if (leader > 0) found |= signal_session(leader, signal_number);
  }
  return found;
}

void end_all_sessions() {
  for (const int signal_number : {SIGTERM, SIGKILL}) {
    signal_all(signal_number);
    for (int i = 0; i < kPausesToEnd && signal_all(0); ++i) {
      ::usleep(kPauseMicroseconds);
      if (signal_number == SIGKILL) signal_all(SIGKILL);
    }
  }
}

// A session of its own: Ctrl-C goes to all processes of the terminal's group.
[[noreturn]] void watch(int pipe) {
  ::setsid();
  ::dup2(pipe, STDIN_FILENO);
  const int null = ::open("/dev/null", O_WRONLY);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, fd);
  close_all_from(STDERR_FILENO + 1);
  char byte;
  while (::read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR) {
  }
  end_all_sessions();
  _exit(0);
}

void leave(int signal_number) {
  _exit(128 + signal_number);
}

}  // namespace

Watcher::Watcher() {
  void* shared =
      ::mmap(nullptr, sizeof(Leaders), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::array<int, 2> ends;
  if (shared == MAP_FAILED || ::pipe(ends.data()) != 0) {
    throw MachineFailed("no memory or no file is left; close some programs");
  }
  leaders = new (shared) Leaders{};
  pid_ = fork_child();
  if (pid_ == 0) {
    ::close(ends[1]);
    watch(ends[0]);
  }
  ::close(ends[0]);
  if (pid_ < 0) throw MachineFailed("no process can be started; close some programs");
  pipe_ = ends[1];
  ::fcntl(pipe_, F_SETFD, FD_CLOEXEC);
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal_number, leave);
}

Watcher::~Watcher() {
  ::close(pipe_);
  ::waitpid(pid_, nullptr, 0);
}

void watch_own_session() {
  for (auto& place : *leaders) {
    pid_t free_place = 0;
    if (place.compare_exchange_strong(free_place, ::getpid())) return;
  }
}

void stop_watching(pid_t leader) {
  for (auto& place : *leaders) {
    pid_t expected = leader;
    if (place.compare_exchange_strong(expected, 0)) return;
  }
}

void end_watched_sessions() {
  end_all_sessions();
  for (auto& place : *leaders) place = 0;
}

bool signal_session(pid_t leader, int signal_number) {
  bool found = ::kill(-leader, signal_number) == 0;
  DIR* processes = ::opendir("/proc");
  if (processes == nullptr) return found;
  while (const dirent* entry = ::readdir(processes)) {
    const pid_t process = std::atoi(entry->d_name);
    if (process <= 0 || ::getsid(process) != leader) continue;
    found |= ::kill(process, signal_number) == 0;
  }
  ::closedir(processes);
  return found;
}

}  // namespace kv::grader
