#pragma once
// A terminal that gives single keys and shows one page. Why no library: a page is written as a
// whole, so a few control sequences that every terminal has are enough, and a first ./lab grade
// has one package less to install.

#include <termios.h>

#include <string>
#include <string_view>
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

// A text that is cut to the size of a terminal.
struct Page {
  std::string text = {};
  std::string foot = {};  // always in sight, at the bottom
  std::size_t first = 0;  // the first line of the text that is shown

  // At most as many as there are rows. If the text does not fit, the line above the foot says how
  // much is left and how to see it.
  std::vector<std::string> lines(Size size) const;

  // Shows what is below; from the top again when there is nothing.
  void turn(Size size);
};

// Lines of at most `columns` characters, broken at a blank where there is one; what follows has the
// margin of its line. Sequences for colors have no width.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

// Markdown with each paragraph and each item of a list in one line, so that it can be wrapped.
// Lines with a margin of four, drawings, stay.
std::string with_whole_paragraphs(const std::string& markdown);

}  // namespace kv::grader::watch
