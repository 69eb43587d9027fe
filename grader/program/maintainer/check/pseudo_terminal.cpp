#include "grader/program/maintainer/check/pseudo_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "common/errors.h"
#include "grader/program/maintainer/check/documents.h"

namespace kv::grader {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{180};  // a first build of a lab, on a busy machine

void set_size(int fd, watch::Size size) {
  winsize window{};
  window.ws_row = static_cast<unsigned short>(size.rows);
  window.ws_col = static_cast<unsigned short>(size.columns);
  ::ioctl(fd, TIOCSWINSZ, &window);
}

[[noreturn]] void exec_at_terminal(const Command& command, const std::string& terminal) {
  ::setsid();
  const int fd = ::open(terminal.c_str(), O_RDWR);
  ::ioctl(fd, TIOCSCTTY, 0);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(fd, standard);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) std::signal(number, SIG_DFL);
  for (const auto& [name, value] : command.environment) ::setenv(name.c_str(), value.c_str(), 1);
  ::setenv("TERM", "xterm", 1);
  std::vector<char*> argv;
  for (const std::string& argument : command.argv)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  _exit(127);
}

// The offset after the control sequence that begins at `at`; npos if its end has not come yet.
std::size_t end_of_sequence(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return std::string_view::npos;
  if (text[at + 1] != '[') return at + 2;
  const std::size_t last = text.find_first_not_of("0123456789;?", at + 2);
  return last == std::string_view::npos ? last : last + 1;
}

}  // namespace

PseudoTerminal::PseudoTerminal(const Command& command, watch::Size size)
    : fd_(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
  if (fd_ < 0 || ::grantpt(fd_) != 0 || ::unlockpt(fd_) != 0)
    throw MachineFailed("no pseudo terminal can be opened");
  const std::string terminal = ::ptsname(fd_);
  set_size(fd_, size);
  ::fcntl(fd_, F_SETFL, O_NONBLOCK);
  pid_ = ::fork();
  if (pid_ == 0) exec_at_terminal(command, terminal);
}

PseudoTerminal::~PseudoTerminal() {
  ::close(fd_);  // its programs get SIGHUP
  if (pid_ <= 0) return;
  for (int i = 0; i < 100 && ::waitpid(pid_, nullptr, WNOHANG) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void PseudoTerminal::type(std::string_view keys) {
  [[maybe_unused]] const ssize_t size = ::write(fd_, keys.data(), keys.size());
}

void PseudoTerminal::resize(watch::Size size) {
  set_size(fd_, size);
}

bool PseudoTerminal::shows(const std::string& text) {
  const Clock::time_point end = Clock::now() + kPatience;
  const auto has_text = [&] {  // in one line: a long path may have wrapped a sentence
    return screen_.find(text) != std::string::npos ||
           in_one_line(screen_).find(text) != std::string::npos;
  };
  bool is_shown = has_text();
  while (!is_shown && is_patient_) {
    is_patient_ = read_more() && Clock::now() < end;
    is_shown = has_text();
  }
  return is_shown;
}

std::size_t PseudoTerminal::num_printed(std::string_view text) const {
  std::size_t count = 0;
  for (std::size_t at = printed_.find(text); at != std::string::npos;
       at = printed_.find(text, at + text.size()))
    ++count;
  return count;
}

bool PseudoTerminal::has_line_mode() const {
  termios modes{};
  constexpr tcflag_t kLineMode = ICANON | ECHO;
  return ::tcgetattr(fd_, &modes) == 0 && (modes.c_lflag & kLineMode) == kLineMode;
}

std::optional<int> PseudoTerminal::exit_code() {
  const Clock::time_point end = Clock::now() + kPatience;
  int status = 0;
  pid_t ended = 0;
  while ((ended = ::waitpid(pid_, &status, WNOHANG)) == 0 && Clock::now() < end) read_more();
  if (ended != pid_) return std::nullopt;
  while (read_more()) {
  }
  pid_ = 0;
  if (!WIFEXITED(status)) return std::nullopt;
  return WEXITSTATUS(status);
}

// False when there is no program at the terminal any more.
bool PseudoTerminal::read_more() {
  pollfd input{fd_, POLLIN, 0};
  ::poll(&input, 1, 100);
  std::array<char, 4096> bytes;
  const ssize_t size = ::read(fd_, bytes.data(), bytes.size());
  if (size > 0) printed_.append(bytes.data(), static_cast<std::size_t>(size));
  interpret();
  return size > 0 || (input.revents & POLLHUP) == 0;
}

void PseudoTerminal::interpret() {
  while (num_interpreted_ < printed_.size()) {
    if (printed_[num_interpreted_] != '\033') {
      screen_ += printed_[num_interpreted_++];
      continue;
    }
    const std::size_t end = end_of_sequence(printed_, num_interpreted_);
    if (end == std::string::npos) return;
    const std::string sequence = printed_.substr(num_interpreted_, end - num_interpreted_);
    const bool clears = sequence == "\033[H" || sequence.starts_with("\033[?1049");
    if (clears) screen_.clear();
    num_interpreted_ = end;
  }
}

}  // namespace kv::grader
