#include "grader/program/student/watch/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>
#include <string_view>

#include "common/errors.h"

namespace kv::grader::watch {
namespace {

constexpr std::string_view kOtherScreen = "\033[?1049h";  // what was on it comes back at the end
constexpr std::string_view kFirstScreen = "\033[?1049l";
constexpr std::string_view kHideCursor = "\033[?25l";
constexpr std::string_view kShowCursor = "\033[?25h";
constexpr std::string_view kCutLines = "\033[?7l";  // at the right edge
constexpr std::string_view kWrapLines = "\033[?7h";
constexpr std::string_view kHome = "\033[H";
constexpr std::string_view kClearLine = "\033[K";
constexpr std::string_view kClearBelow = "\033[J";

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH};

std::array<int, 2> signal_pipe = {-1, -1};
pid_t pipe_owner = 0;
std::map<int, struct sigaction> handlers_before;

// Why the owner alone: a job begins as a fork of it, with its handlers, and at Ctrl-Z it would note
// the signal a second time.
void note_signal(int signal_number) {
  if (::getpid() != pipe_owner) return;
  const int reason = errno;
  const auto byte = static_cast<char>(signal_number);
  [[maybe_unused]] const ssize_t size = ::write(signal_pipe[1], &byte, 1);
  errno = reason;
}

void set_handler(int signal_number, void (*handler)(int), struct sigaction* before) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(signal_number, &action, before);
}

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = ::write(STDOUT_FILENO, text.data(), text.size());
    if (size < 0 && errno != EINTR) return;  // the terminal is gone: its signal says so
    text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  }
}

}  // namespace

bool Terminal::is_there() {
  const char* type = std::getenv("TERM");
  const bool can_show = type != nullptr && std::string_view(type) != "dumb";
  return can_show && ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
}

Terminal::Terminal() {
  if (::tcgetattr(STDIN_FILENO, &before_) != 0 || ::pipe(signal_pipe.data()) != 0)
    throw UsageError("the modes of this terminal cannot be changed; use ./lab grade here");
  pipe_owner = ::getpid();
  for (const int end : signal_pipe) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  for (const int number : kSignals) set_handler(number, note_signal, &handlers_before[number]);
  enter();
}

Terminal::~Terminal() {
  leave();
  for (const auto& [number, action] : handlers_before) ::sigaction(number, &action, nullptr);
  for (const int end : signal_pipe) ::close(end);
}

Size Terminal::size() const {
  winsize window{};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0;
  if (!is_known || window.ws_row == 0 || window.ws_col == 0) return {};
  return {.rows = window.ws_row, .columns = window.ws_col};
}

void Terminal::show(const std::vector<std::string>& lines) const {
  std::string text(kHome);
  for (const std::string& line : lines) {
    if (&line != &lines.front()) text += "\n";
    text += line;
    text += kClearLine;
  }
  text += kClearBelow;
  write_all(text);
}

std::string Terminal::read_keys() const {
  std::array<char, 64> bytes;
  const ssize_t size = ::read(STDIN_FILENO, bytes.data(), bytes.size());
  if (size < 0 && errno == EINTR) return "";
  if (size <= 0) return {kEndOfInput};
  const std::string keys(bytes.data(), static_cast<std::size_t>(size));
  const bool is_sequence = keys.size() > 1 && keys.front() == '\033';
  return is_sequence ? "" : keys;
}

int Terminal::signal_fd() const {
  return signal_pipe[0];
}

int Terminal::next_signal() const {
  char byte = 0;
  return ::read(signal_pipe[0], &byte, 1) == 1 ? byte : 0;
}

void Terminal::stop() const {
  leave();
  set_handler(SIGTSTP, SIG_DFL, nullptr);
  ::raise(SIGTSTP);  // returns when the program is continued
  set_handler(SIGTSTP, note_signal, nullptr);
  enter();
}

void Terminal::enter() const {
  termios single_keys = before_;
  single_keys.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  single_keys.c_cc[VMIN] = 1;
  single_keys.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &single_keys);
  write_all(std::string(kOtherScreen) + std::string(kHideCursor) + std::string(kCutLines));
}

void Terminal::leave() const {
  write_all(std::string(kWrapLines) + std::string(kShowCursor) + std::string(kFirstScreen));
  ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
}

}  // namespace kv::grader::watch
