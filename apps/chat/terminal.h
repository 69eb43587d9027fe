#pragma once
// Where the chat is read and written: a terminal, or pipes.

#include <termios.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kv::chat {

// At a terminal, lines below the text can be drawn again and again while the text grows. Through a
// pipe there are no such lines, and nothing but text is printed.
class Terminal {
 public:
  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool is_interactive() const { return is_interactive_; }
  std::size_t width() const;

  // The next line that is typed, without its end; nullopt at the end of the input.
  std::optional<std::string> read_line(const std::string& prompt);

  // Text of an answer, which grows: words go to the next line as a whole.
  void write(std::string_view text);
  void end_text();  // the rest of it, and the end of its line

  void write_line(const std::string& line);

  // A line for the person at the terminal only.
  void note(const std::string& line);

  // Draws these lines below the text, in place of those that are there.
  void draw_below(const std::vector<std::string>& lines);
  void clear_below() { draw_below({}); }

  // The text in a color, where there are colors: "2" is dim, "32" green.
  std::string colored(const std::string& text, const char* color) const;

 private:
  std::optional<std::string> next_line(const std::string& prompt);
  void put(std::string_view text);

  bool is_interactive_;
  termios modes_ = {};  // the terminal's modes before the program changed them
  bool has_colors_;
  std::string word_;           // begun, and not written yet
  std::size_t column_ = 0;     // where the next word begins in its line
  std::size_t num_below_ = 0;  // lines that are drawn
};

// Ctrl-C stops an answer, not the chat. A second one in the same step ends the program, for a step
// may have no end. take_interrupt: whether it was pressed since the last call.
void watch_for_interrupt();
bool take_interrupt();

}  // namespace kv::chat
