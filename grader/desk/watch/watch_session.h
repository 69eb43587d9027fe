#pragma once
// `./lab watch` at a terminal: grades after each save, shows one page, and answers single keys.

#include <functional>
#include <optional>
#include <string>

#include "grader/desk/watch/file_changes.h"
#include "grader/desk/watch/runner.h"
#include "grader/desk/watch/terminal.h"

namespace kv::grader::watch {

class Session {
 public:
  // only: the lab to watch; nullptr: all, and the lab at hand is shown until another is saved.
  Session(const Kit& kit, const steps::Tree& tree, const LabSpec* only);

  int run();  // until a key or a signal ends it; the exit code

 private:
  struct Question {
    std::string text;
    std::function<void()> on_yes;
  };

  void grade();
  void wait_for_input();
  void handle_signals();
  void look_at_job();
  void look_at_files();

  void press(char key);
  void carry_out(char key);
  void show_next();
  void show_hint();
  void show_list();
  void ask_reset();
  void show_solution();
  void grade_all();

  void show(const std::string& text);  // in place of the verdict, until a save or a key
  void run_or_show_error(const std::function<void()>& action);
  void draw();
  std::string text() const;
  std::string foot() const;
  std::string progress() const;
  steps::LabStanding standing() const;

  const Kit& kit_;
  steps::Tree tree_;
  const LabSpec* only_;
  const LabSpec* lab_;
  const StepSpec* step_;  // at hand
  FileChanges changes_;
  Runner runner_ = {};
  Terminal terminal_ = {};
  bool is_grading_ = false;  // what the runner does, or did: else it shows something
  std::string verdict_ = {};
  std::string shown_ = {};   // in place of the verdict, if not empty
  std::string notice_ = {};  // above the verdict, until the next save or key
  std::optional<Question> question_ = {};
  std::size_t first_line_ = 0;
  std::vector<std::string> drawn_ = {};
  std::optional<int> exit_code_ = {};
};

}  // namespace kv::grader::watch
