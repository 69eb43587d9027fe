#include "grader/program/classroom/results.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "grader/program/classroom/index_page.h"

namespace kv::grader::classroom {
namespace {

std::string verdict(const Row& row) {
  if (!row.has_score()) return "no score: " + printable(row.note());
  std::string text = std::to_string(row.score()) + "/" + row.report["max_score"].dump();
  if (row.extra() > 0) text += " +" + std::to_string(row.extra());
  if (row.num_flags() > 0) text += "  flags: " + std::to_string(row.num_flags());
  if (!row.note().empty()) text += "  " + printable(row.note());
  return text;
}

}  // namespace

Results::Results(const Kit& kit,
                 fs::path folder,
                 std::vector<const LabSpec*> labs,
                 std::vector<Person> people,
                 std::size_t num_handed_in)
    : kit_(kit),
      folder_(std::move(folder)),
      labs_(std::move(labs)),
      people_(std::move(people)),
      num_handed_in_(num_handed_in) {}

fs::path Results::row_file(const std::string& name) const {
  return folder_ / "submissions" / (name + ".json");
}

void Results::add(const Row& row) {
  const std::lock_guard guard(mutex_);
  if (!row.page.empty()) write_file(folder_ / page_file(row.name), row.page);
  rows_.insert(std::ranges::upper_bound(rows_, row.name, {}, &Row::name), row);
  write_tables();
  print(row);
}

std::string Results::summary() const {
  std::string text = summary_text(summary_of(labs_, rows_), rows_.size());
  text += "\nscores: " + (folder_ / "scores.csv").string() + "\n";
  text += "page: " + (folder_ / "index.html").string() + "\n";
  if (!people_.empty()) text += "for Canvas: " + (folder_ / "canvas.csv").string() + "\n";
  return text;
}

void Results::write_tables() const {
  write_file(folder_ / "scores.csv", csv_of(labs_, people_, rows_));
  write_file(folder_ / "index.html", index_page(kit_, labs_, people_, rows_));
  if (people_.empty()) return;
  int max_points = 0;
  for (const LabSpec* lab : labs_) max_points += lab->max_points(true);
  write_file(folder_ / "canvas.csv", canvas_csv(people_, rows_, max_points));
}

void Results::print(const Row& row) const {
  const bool is_terminal = ::isatty(STDERR_FILENO) != 0;
  if (is_terminal) std::fputs("\r\033[K", stderr);
  std::printf("%4zu of %zu  %-24s %s\n", rows_.size(), num_handed_in_, printable(row.name).c_str(),
              verdict(row).c_str());
  std::fflush(stdout);
  if (!is_terminal || rows_.size() == num_handed_in_) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
  const double num_left = static_cast<double>(num_handed_in_ - rows_.size());
  const double minutes = elapsed.count() / static_cast<double>(rows_.size()) * num_left / 60;
  std::fprintf(stderr, "about %.0f min left", std::ceil(minutes));
}

}  // namespace kv::grader::classroom
