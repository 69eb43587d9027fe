#include "grader/program/classroom/summary.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace kv::grader::classroom {
namespace {

using NamesByKey = std::map<std::string, std::vector<std::string>>;

// The core points of a lab's report, those of one step if one is named: what is there, and how much
// there could be.
std::pair<int, int> core_points(const Json& lab, const std::string& step = "") {
  std::pair<int, int> points;
  for (const Json& test : lab["tests"]) {
    if (test["kind"] != "core" || (!step.empty() && test["step"] != step)) continue;
    points.first += test["points"].get<int>();
    points.second += test["max_points"].get<int>();
  }
  return points;
}

void add(const Row& row, const LabSpec& lab, const std::string& step, PartTally& tally) {
  const Json* report = row.lab(lab.id);
  if (report == nullptr) return;
  const auto [points, max_points] = core_points(*report, step);
  ++tally.num_graded;
  tally.num_full += points == max_points ? 1 : 0;
  tally.sum_points += points;
}

bool is_at_a_limit(const Row& row) {
  if (row.problem.starts_with("stopped after")) return true;
  if (!row.has_score()) return false;
  return std::ranges::any_of(row.report["labs"], [](const Json& lab) {
    return std::ranges::any_of(lab["tests"],
                               [](const Json& test) { return test["status"] == "timeout"; });
  });
}

void add_diagnoses(const Row& row, NamesByKey& diagnoses) {
  if (!row.has_score()) return;
  for (const Json& lab : row.report["labs"]) {
    const auto diagnosis = lab["diagnosis"].get<std::string>();
    if (!diagnosis.empty())
      diagnoses[lab["id"].get<std::string>() + ": " + diagnosis].push_back(row.name);
  }
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMaxNames = 8;
  std::vector<std::string> shown(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(kMaxNames, names.size())));
  const std::string more =
      names.size() > kMaxNames ? " and " + std::to_string(names.size() - kMaxNames) + " more" : "";
  return printable(join(shown, ", ")) + more;
}

std::string tally_line(const PartTally& tally) {
  std::array<char, 128> line;
  std::snprintf(line.data(), line.size(), "  %-5s %-38.38s %4d of %4d   %6.1f\n", tally.id.c_str(),
                tally.title.c_str(), tally.num_full, tally.num_graded, tally.mean());
  return line.data();
}

std::string list_text(const std::string& title, const std::vector<std::string>& lines) {
  return lines.empty() ? "" : "\n" + title + "\n  " + join(lines, "\n  ") + "\n";
}

}  // namespace

Summary summary_of(const std::vector<const LabSpec*>& labs, const std::vector<Row>& rows) {
  Summary summary;
  for (const LabSpec* lab : labs) {
    summary.labs.push_back({lab->id, lab->title});
    for (const Row& row : rows) add(row, *lab, "", summary.labs.back());
    for (const StepSpec& step : lab->steps) {
      if (!lab->is_core(step)) continue;
      summary.steps.push_back({step.number, step.name});
      for (const Row& row : rows) add(row, *lab, step.number, summary.steps.back());
    }
  }
  NamesByKey diagnoses, digests;
  for (const Row& row : rows) {
    add_diagnoses(row, diagnoses);
    if (!row.source_digest.empty() && row.has_score())
      digests[row.source_digest].push_back(row.name);
    if (is_at_a_limit(row)) summary.at_a_limit.push_back(row.name);
    if (!row.has_score()) summary.not_graded.push_back(row.name + ": " + row.note());
  }
  summary.diagnoses.assign(diagnoses.begin(), diagnoses.end());
  std::ranges::stable_sort(summary.diagnoses, std::ranges::greater(),
                           [](const auto& each) { return each.second.size(); });
  for (const auto& [digest, names] : digests) {
    if (names.size() > 1) summary.equal.push_back(names);
  }
  return summary;
}

std::string summary_text(const Summary& summary, std::size_t num_rows) {
  std::string text = "\nall core points, of those graded; mean of core points\n";
  for (const PartTally& lab : summary.labs) {
    if (lab.num_graded > 0) text += tally_line(lab);
  }
  text += "\n";
  for (const PartTally& step : summary.steps) {
    if (step.num_graded > 0) text += tally_line(step);
  }
  std::vector<std::string> lines;
  for (const auto& [diagnosis, names] : summary.diagnoses) {
    lines.push_back(std::to_string(names.size()) + " of " + std::to_string(num_rows) + "  " +
                    printable(diagnosis) + "\n      " + names_text(names));
  }
  text += list_text("the most frequent diagnoses", lines);
  lines.clear();
  for (const auto& names : summary.equal) lines.push_back(names_text(names));
  text += list_text("the same files", lines);
  if (!summary.at_a_limit.empty())
    text += list_text("a time limit was reached", {names_text(summary.at_a_limit)});
  return text + printable(list_text("not graded", summary.not_graded));
}

}  // namespace kv::grader::classroom
