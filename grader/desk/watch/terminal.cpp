#include "grader/desk/watch/terminal.h"

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

#include "base/text/errors.h"
#include "base/text/text.h"

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

namespace {

constexpr std::string_view kTab = "    ";

// The offset after the character, or the sequence for a color, that begins at `at`.
std::size_t end_of_character(std::string_view text, std::size_t at) {
  if (text[at] == '\033') return std::min(text.find('m', at), text.size() - 1) + 1;
  ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

// The bytes of the characters that fit in `columns`.
std::size_t size_that_fits(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  while (at < text.size() && (columns > 0 || text[at] == '\033')) {
    if (text[at] != '\033') --columns;
    at = end_of_character(text, at);
  }
  return at;
}

bool begins_block(const std::string& line) {
  const bool is_drawn = line.starts_with("    ");
  const bool is_item =
      line.starts_with("- ") || line.find(". ") == line.find_first_not_of("0123456789");
  return line.empty() || is_drawn || is_item;
}

void add_wrapped(std::string line, std::size_t columns, std::vector<std::string>& lines) {
  const std::size_t margin = std::min(line.find_first_not_of(' '), columns / 2);
  std::size_t size = size_that_fits(line, columns);
  while (size < line.size()) {
    const std::size_t blank = line.rfind(' ', size);
    const bool has_blank = blank != std::string::npos && blank > margin;
    lines.push_back(line.substr(0, has_blank ? blank : size));
    line = std::string(margin, ' ') + line.substr(has_blank ? blank + 1 : size);
    size = size_that_fits(line, columns);
  }
  lines.push_back(line);
}

// How a text is divided between the rows above the foot.
struct Cut {
  std::vector<std::string> text;
  std::vector<std::string> foot;
  std::size_t rows;  // for the text
  bool fits;

  Cut(const Page& page, Size size)
      : text(wrapped(page.text, size.columns)), foot(wrapped(page.foot, size.columns)) {
    const std::size_t above = std::max(size.rows, foot.size() + 2) - foot.size();
    fits = text.size() <= above;
    rows = fits ? above : above - 1;
  }
};

}  // namespace

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  for (const std::string& line : split_lines(text))
    add_wrapped(replace_all(line, "\t", kTab), std::max<std::size_t>(columns, 8), lines);
  return lines;
}

std::string with_whole_paragraphs(const std::string& markdown) {
  std::vector<std::string> lines;
  for (const std::string& line : split_lines(markdown)) {
    const bool is_apart = lines.empty() || lines.back().empty() || lines.back().starts_with("    ");
    if (is_apart || begins_block(line)) {
      lines.push_back(line);
    } else {
      lines.back() += " " + line.substr(std::min(line.find_first_not_of(' '), line.size()));
    }
  }
  return join(lines, "\n") + "\n";
}

std::vector<std::string> Page::lines(Size size) const {
  const Cut cut(*this, size);
  const std::size_t begin = cut.fits ? 0 : std::min(first, cut.text.size() - 1);
  const std::size_t end = std::min(begin + cut.rows, cut.text.size());
  std::vector<std::string> lines(cut.text.begin() + static_cast<std::ptrdiff_t>(begin),
                                 cut.text.begin() + static_cast<std::ptrdiff_t>(end));
  lines.resize(cut.rows);
  const std::size_t num_below = cut.text.size() - end;
  if (!cut.fits)
    lines.push_back(num_below > 0 ? "-- " + std::to_string(num_below) + " more lines: space --"
                                  : "-- from the top: space --");
  lines.insert(lines.end(), cut.foot.begin(), cut.foot.end());
  lines.resize(std::min(lines.size(), size.rows));
  return lines;
}

void Page::turn(Size size) {
  const Cut cut(*this, size);
  first = cut.fits || first + cut.rows >= cut.text.size() ? 0 : first + cut.rows;
}

}  // namespace kv::grader::watch
