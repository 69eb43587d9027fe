#pragma once
// A terminal that gives single keys and shows one page. Why no library: a page is written as a
// whole, so a few control sequences that every terminal has are enough, and a first ./lab grade
// has one package less to install.

#include <termios.h>

#include <string>
#include <vector>

namespace kv::grader::watch {

struct Size {
  std::size_t rows = 24;
  std::size_t columns = 80;
};

class Terminal {
 public:
  // Are input and output a terminal that can show a page?
  static bool is_there();

  // From here to the destructor, Ctrl-C and the like are signals that next_signal() gives.
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  Size size() const;
  void show(const std::vector<std::string>& lines) const;  // no more and no longer than size()

  static constexpr char kEndOfInput = '\x04';
  std::string read_keys() const;  // waits for one; those of a key like an arrow are left out

  int signal_fd() const;    // readable when there is a signal
  int next_signal() const;  // 0: there is none

  // Puts the modes of the terminal back and stops this program, until it is continued.
  void stop() const;
  void enter() const;  // again, when another program may have changed them

 private:
  void leave() const;

  termios before_{};
};

}  // namespace kv::grader::watch
