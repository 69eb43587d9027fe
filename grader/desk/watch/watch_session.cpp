#include "grader/desk/watch/watch_session.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "base/text/errors.h"
#include "grader/desk/steps/places.h"
#include "grader/desk/steps/step_texts.h"
#include "grader/desk/watch/jobs.h"
#include "grader/engine/report/report.h"

namespace kv::grader::watch {
namespace {

constexpr const char* kKeys = "n next  h hint  l list  r reset  d diff  a all  q quit";

std::vector<const LabSpec*> watched_labs(const Kit& kit, const LabSpec* only) {
  return only == nullptr ? kit.manifest.chosen({}) : std::vector<const LabSpec*>{only};
}

}  // namespace

Session::Session(const Kit& kit, const steps::Tree& tree, const LabSpec* only)
    : kit_(kit),
      tree_(tree),
      only_(only),
      lab_(only != nullptr ? only : steps::lab_at_hand(kit, steps::load_progress(kit), tree).lab),
      step_(&lab_->steps.front()),
      changes_(tree, watched_labs(kit, only)) {}

int Session::run() {
  grade();
  while (!exit_code_) {
    draw();
    wait_for_input();
    handle_signals();
    look_at_job();
    look_at_files();
  }
  return *exit_code_;
}

void Session::grade() {
  shown_.clear();
  verdict_.clear();
  question_.reset();
  first_line_ = 0;
  is_grading_ = true;
  run_or_show_error([&] { step_ = &first_step(kit_, steps::load_progress(kit_), tree_, *lab_); });
  runner_.start([&] { grade_lab_in_pages(kit_, tree_, *lab_, *step_); });
}

void Session::wait_for_input() {
  std::array<pollfd, 4> fds = {pollfd{STDIN_FILENO, POLLIN, 0},
                               pollfd{terminal_.signal_fd(), POLLIN, 0},
                               pollfd{runner_.fd(), POLLIN, 0}, pollfd{changes_.fd(), POLLIN, 0}};
  ::poll(fds.data(), fds.size(), changes_.wait_milliseconds());
  if (fds[0].revents == 0) return;
  for (const char key : terminal_.read_keys()) press(key);
}

void Session::handle_signals() {
  while (const int signal_number = terminal_.next_signal()) {
    drawn_.clear();
    if (signal_number == SIGTSTP) terminal_.stop();
    if (signal_number == SIGCONT) terminal_.enter();
    const bool is_harmless =
        signal_number == SIGTSTP || signal_number == SIGCONT || signal_number == SIGWINCH;
    if (!is_harmless) exit_code_ = 128 + signal_number;
  }
}

void Session::look_at_job() {
  if (!runner_.is_busy()) return;
  if (runner_.read()) (is_grading_ ? verdict_ : shown_) = runner_.page();
  if (runner_.is_busy()) return;
  run_or_show_error([&] {
    if (const StepSpec* step = standing().step_at_hand()) step_ = step;
  });
}

void Session::look_at_files() {
  const std::vector<const LabSpec*> changed = changes_.changed_labs();
  if (changed.empty()) return;
  if (std::ranges::count(changed, lab_) == 0) lab_ = changed.front();
  notice_.clear();
  grade();
}

void Session::press(char key) {
  constexpr char kSpace = ' ';
  if (key == kSpace) {
    Page page{.text = text(), .foot = foot(), .first = first_line_};
    page.turn(terminal_.size());
    first_line_ = page.first;
    return;
  }
  const std::optional<Question> question = std::exchange(question_, std::nullopt);
  shown_.clear();
  notice_.clear();
  first_line_ = 0;
  if (verdict_.empty() && !runner_.is_busy()) grade();  // it was given up
  if (!question) return run_or_show_error([&] { carry_out(key); });
  if (key == 'y') run_or_show_error(question->on_yes);
}

void Session::carry_out(char key) {
  switch (key) {
    case 'n':
      return show_next();
    case 'h':
      return show_hint();
    case 'l':
      return show_list();
    case 'r':
      return ask_reset();
    case 'd':
      return show_solution();
    case 'a':
      return grade_all();
    case 'q':
    case Terminal::kEndOfInput:
      exit_code_ = kExitGraded;
  }
}

// If the lab is done, shows the next one; if not, what to read and where to write.
void Session::show_next() {
  const steps::LabStanding standing = this->standing();
  const LabSpec* next = steps::lab_at_hand(kit_, steps::load_progress(kit_), tree_).lab;
  if (standing.is_core_done() && only_ == nullptr && next != lab_) {
    lab_ = next;
    return grade();
  }
  show(steps::next_text(kit_, tree_, standing));
}

void Session::show_hint() {
  const StepSpec& step = *step_;
  const steps::NextHint next = steps::next_hint(steps::load_progress(kit_), standing(), step);
  const auto show_tier = [this, &step, tier = next.tier] {
    show(with_whole_paragraphs(steps::tier_text(kit_, *lab_, step, tier)));
    steps::note_tier(kit_, step, tier);
  };
  if (!next.diagnosis.empty()) {
    show("step " + step.heading() + " " + next.diagnosis + "\n");
    steps::note_diagnosis(kit_, tree_, *lab_);
  } else if (next.tier == 0) {
    show("tier 3 of " + step.heading() + " was the last; to see one again: ./lab hint " +
         step.number + tree_.option() + " --tier 1\n");
  } else if (next.tier == steps::kLastTier) {
    question_ = {"Tier 3 of " + step.heading() + " is the whole way, in words. Show it now?",
                 show_tier};
  } else {
    show_tier();
  }
}

void Session::show_list() {
  const steps::LabStanding standing = this->standing();
  show(steps::list_text(standing) + "\n" + steps::summary_text(tree_, {standing}));
}

void Session::ask_reset() {
  question_ = {"Put the stub of step " + step_->heading() +
                   " back?\nYour function is kept in a file, and the page will name it.",
               [this] {
                 notice_ = steps::reset_step(kit_, tree_, *lab_, *step_).text(kit_, *step_);
                 changes_.accept_current_files();  // Why: the notice is to stay.
                 grade();
               }};
}

void Session::show_solution() {
  if (runner_.is_busy()) return show("the lab is being graded; press d again after it\n");
  if (!standing().is_core_done())
    return show("d compares with the solution when the core of a lab is done; to see it now: " +
                std::string("./lab diff ") + tree_.argument() + lab_->id + "\n");
  is_grading_ = false;
  runner_.start([&] { show_diff(kit_, tree_, *lab_); });
}

void Session::grade_all() {
  if (runner_.is_busy()) verdict_.clear();
  is_grading_ = false;
  runner_.start([&] { grade_all_in_pages(kit_, tree_); });
}

void Session::show(const std::string& text) {
  shown_ = printable(text);
}

void Session::run_or_show_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception&) {
    show("lab: " + current_failure().sentence + "\n");
  }
}

void Session::draw() {
  const Page page{.text = text(), .foot = foot(), .first = first_line_};
  std::vector<std::string> lines = page.lines(terminal_.size());
  if (lines == drawn_) return;
  terminal_.show(lines);
  drawn_ = std::move(lines);
}

std::string Session::text() const {
  if (question_) return question_->text + "\n";
  if (!shown_.empty()) return shown_;
  const std::string notice = notice_.empty() ? "" : notice_ + "\n";
  if (!verdict_.empty()) return notice + verdict_;
  return notice + bold("lab " + lab_->id + "  " + lab_->title) + "\n    " + step_->heading() + "\n";
}

std::string Session::foot() const {
  if (question_) return "\ny yes, another key no";
  const fs::path watched = only_ == nullptr ? tree_.folder : tree_.folder / lab_->folder;
  const std::string status =
      runner_.is_busy() ? progress() : "waiting for a save in " + steps::shown_path(kit_, watched);
  return status + "\n" + (shown_.empty() ? "" : "enter back  ") + kKeys;
}

// What the runner does, and the time if that is long: a first build of a lab takes half a minute.
std::string Session::progress() const {
  const std::string doing = runner_.remark().empty() ? "starting ..." : printable(runner_.remark());
  const auto seconds = runner_.age().count();
  return seconds < 3 ? doing : doing + " " + std::to_string(seconds) + " s";
}

steps::LabStanding Session::standing() const {
  return steps::standing_of(steps::load_progress(kit_), tree_, *lab_);
}

}  // namespace kv::grader::watch
