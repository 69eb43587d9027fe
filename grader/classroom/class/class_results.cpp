#include "grader/classroom/class/class_results.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/page/page.h"
#include "grader/classroom/class/class_state.h"
#include "grader/classroom/class/class_summary.h"
#include "grader/classroom/class/feedback.h"
#include "grader/classroom/class/remarks.h"

namespace kv::grader::classroom {
namespace {

// "ada: Lovelace, Ada (12345), group A"
std::string owner_text(const std::string& submission, const Owners& owners) {
  if (owners.empty()) return printable(submission);
  const std::string group = of_all(owners, &Person::group);
  return printable(submission + ": " + of_all(owners, &Person::name) + " (" +
                   of_all(owners, &Person::id) + ")" + (group.empty() ? "" : ", group " + group));
}

std::string remarks_text(const Row& row) {
  return printable(join(lines_of(remarks_of(row), &Remark::brief), "; "));
}

std::string verdict(const Row& row) {
  const std::string remarks = remarks_text(row);
  if (!row.has_score()) return "no score: " + remarks;
  std::string text = std::to_string(row.score()) + "/" + row.report["max_score"].dump();
  if (row.extra() > 0) text += " +" + std::to_string(row.extra());
  if (row.num_flags() > 0) text += "  flags: " + std::to_string(row.num_flags());
  return text + (remarks.empty() ? "" : "  " + remarks);
}

// What grading again has changed; empty: nothing was graded again.
std::string changes_text(const std::vector<Row>& rows) {
  std::size_t num_again = 0, num_up = 0, num_down = 0;
  std::string lines;
  for (const Row& row : rows) {
    if (!row.was_graded_again()) continue;
    ++num_again;
    const std::pair before(row.earlier.back().score, row.earlier.back().extra);
    const std::pair now(row.score(), row.extra());
    if (now == before) continue;
    ++(now > before ? num_up : num_down);
    lines += "    " + row.name + ": " + points_text(now.first, now.second) + ", before " +
             points_text(before.first, before.second) + "\n";
  }
  if (num_again == 0) return "";
  return printable("\npoints changed: " + std::to_string(num_up + num_down) + " of " +
                   std::to_string(num_again) + " (" + std::to_string(num_up) + " up, " +
                   std::to_string(num_down) + " down)\n" + lines);
}

}  // namespace

Results::Results(const Kit& kit, fs::path folder, ClassState state, Tables tables)
    : kit_(kit), folder_(std::move(folder)), state_(std::move(state)), tables_(tables) {}

fs::path Results::row_file(const std::string& name) const {
  return folder_ / "submissions" / (name + ".json");
}

void Results::keep_history(const Row& before, Row& row) const {
  row.earlier = before.earlier;
  if (!before.has_score()) return;
  row.earlier.push_back({before.score(), before.extra(), before.report["date"]});
  const std::string number = std::to_string(row.earlier.size());
  save_row(before, folder_ / "history" / (before.name + "-" + number + ".json"));
}

void Results::add(const Row& row) {
  const std::lock_guard guard(mutex_);
  std::vector<Row>& rows = state_.rows;
  rows.insert(std::ranges::upper_bound(rows, row.name, {}, &Row::name), row);
  write_page(row);
  if (tables_ == Tables::kAfterEachRow) write_tables();
  print(row);
}

void Results::take(std::vector<Row> rows) {
  state_.rows = std::move(rows);
  for (const Row& row : state_.rows) write_page(row);
  write_tables();
}

std::vector<std::string> Results::without_row() const {
  std::vector<std::string> names = state_.submissions;
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::binary_search(state_.rows, name, {}, &Row::name);
  });
  return names;
}

bool Results::all_have_scores() const {
  return without_row().empty() && std::ranges::all_of(state_.rows, &Row::has_score);
}

std::string Results::summary() const {
  std::string text = summary_text(summary_of(state_), state_.rows.size());
  text += changes_text(state_.rows);
  text += "\nscores: " + (folder_ / "scores.csv").string() + "\n";
  text += "page: " + (folder_ / "index.html").string() + "\n";
  if (state_.people().empty()) return text;
  const bool is_moodles = state_.roster.kind == RosterKind::kMoodle;
  text += is_moodles ? "for Moodle: " : "for Canvas: ";
  text += (folder_ / (is_moodles ? "moodle.csv" : "canvas.csv")).string() + "\n";
  return text + "for the students: " + (folder_ / "to-students.csv").string() + "\n";
}

// Why also where the page is from an earlier run: the roster may be new.
void Results::write_page(const Row& row) const {
  const fs::path file = folder_ / page_file(row.name);
  if (row.page.empty() && !fs::exists(file)) return;
  const std::string page = row.page.empty() ? read_file(file) : row.page;
  write_file(file, pages::with_owner(page, owner_text(row.name, state_.owners(row))));
}

void Results::write_tables() const {
  write_file(folder_ / "scores.csv", scores_csv(state_));
  write_file(folder_ / "steps.csv", steps_csv(state_));
  write_file(folder_ / "index.html", index_page(kit_, state_));
  write_file(folder_ / "lecture.html", index_page(kit_, state_, Names::kLeftOut));
  if (state_.people().empty()) return;
  if (state_.roster.kind == RosterKind::kMoodle)
    write_file(folder_ / "moodle.csv", moodle_csv(state_));
  else
    write_file(folder_ / "canvas.csv", canvas_csv(state_));
}

void Results::write_for_students() const {
  write_feedback(folder_, state_);
}

void Results::print(const Row& row) const {
  const bool is_terminal = ::isatty(STDERR_FILENO) != 0;
  if (is_terminal) std::fputs("\r\033[K", stderr);
  std::printf("%4zu of %zu  %-24s %s\n", state_.rows.size(), state_.submissions.size(),
              printable(row.name).c_str(), verdict(row).c_str());
  std::fflush(stdout);
  if (!is_terminal || state_.rows.size() == state_.submissions.size()) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  const double num_left = static_cast<double>(state_.submissions.size() - state_.rows.size());
  const double minutes = elapsed.count() / static_cast<double>(state_.rows.size()) * num_left / 60;
  std::fprintf(stderr, "about %.0f min left", std::ceil(minutes));
}

}  // namespace kv::grader::classroom
