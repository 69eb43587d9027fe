#include "grader/desk/watch/runner.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <iostream>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/process/descendants.h"
#include "base/process/watcher.h"
#include "base/text/errors.h"
#include "base/text/text.h"

namespace kv::grader::watch {
namespace {

void end_with_parent(pid_t parent) {
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (::getppid() != parent) _exit(kExitKitBroken);
}

void set_descriptors(int output) {
  ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
}

}  // namespace

// What a killed job has started becomes a child of ours, so end_watched_sessions can see when it
// has ended.
Runner::Runner() {
  adopt_orphans();
}

void Runner::start(const std::function<void()>& job) {
  give_up();
  std::array<int, 2> ends;
  if (::pipe(ends.data()) != 0) throw MachineFailed("no file is left; close some programs");
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  page_.clear();
  started_ = std::chrono::steady_clock::now();
  std::cout << std::flush;  // or the job would print it once more
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) {
    end_with_parent(parent);
    be_child(job, ends[1]);
  }
  ::close(ends[1]);
  fd_ = ends[0];
  if (pid_ > 0) return;
  finish();
  throw MachineFailed("no process can be started; close some programs");
}

void Runner::be_child(const std::function<void()>& job, int output) {
  ::setsid();
  watch_own_session();
  if (!has_process_namespaces()) adopt_orphans();
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH})
    std::signal(signal_number, SIG_DFL);
  set_descriptors(output);
  try {
    job();
  } catch (const std::exception&) {
    std::cout << "lab: " << printable(current_failure().sentence) << '\n' << kPageEnd;
  }
  std::cout << std::flush;
  _exit(0);
}

void Runner::give_up() {
  if (!is_busy()) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
  end_watched_sessions();
  finish();
}

bool Runner::read() {
  std::array<char, 4096> bytes;
  ssize_t size = 0;
  while (fd_ >= 0 && (size = ::read(fd_, bytes.data(), bytes.size())) > 0)
    unread_.append(bytes.data(), static_cast<std::size_t>(size));
  bool is_new = take_printed();
  if (size != 0 || !is_busy()) return is_new;
  int status = 0;
  ::waitpid(pid_, &status, 0);
  end_watched_sessions();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    page_ = "lab: the grading ended before its time; save again\n" + printable(unread_);
    is_new = true;
  }
  finish();
  return is_new;
}

// What has no end yet is shown as a remark: that another ./lab is running, say.
bool Runner::take_printed() {
  bool is_new = false;
  std::string remarks;
  const std::string ends = {kPageEnd, kRemarkEnd};
  for (std::size_t end; (end = unread_.find_first_of(ends)) != std::string::npos;) {
    const bool is_page = unread_[end] == kPageEnd;
    (is_page ? page_ : remarks) = unread_.substr(0, end);
    is_new |= is_page;
    unread_.erase(0, end + 1);
  }
  if (!unread_.empty()) remarks = unread_;
  if (const auto lines = split_lines(remarks); !lines.empty()) remark_ = lines.back();
  return is_new;
}

std::chrono::seconds Runner::age() const {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() -
                                                          started_);
}

void Runner::finish() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  pid_ = 0;
  unread_.clear();
  remark_.clear();
}

}  // namespace kv::grader::watch
