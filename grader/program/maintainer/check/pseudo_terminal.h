#pragma once
// A program at a terminal of its own, as a person sees and uses it.

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/program/base/process/process.h"
#include "grader/program/student/watch/terminal.h"

namespace kv::grader {

class PseudoTerminal {
 public:
  PseudoTerminal(const Command& command, watch::Size size);  // throws MachineFailed
  ~PseudoTerminal();                                         // as when its window is closed
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  void type(std::string_view keys);
  void resize(watch::Size size);

  // Waits until the screen has this text, as long as a slow machine may need. Once a text has not
  // come in that time, the next ones have to be there already.
  bool shows(const std::string& text);
  bool is_patient() const { return is_patient_; }
  // The text of the screen, without colors, since it was last cleared or drawn from the top.
  const std::string& screen() const { return screen_; }
  std::size_t num_printed(std::string_view text) const;  // how often, since the start

  bool has_line_mode() const;      // does it give whole lines, with echo, as at the start?
  std::optional<int> exit_code();  // waits for the end; nullopt: it does not end, or by a signal

 private:
  bool read_more();
  void interpret();

  pid_t pid_ = 0;
  int fd_ = -1;
  std::string printed_ = {};
  std::size_t num_interpreted_ = 0;
  std::string screen_ = {};
  bool is_patient_ = true;
};

}  // namespace kv::grader
