#include "grader/classroom/class/class_summary.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

#include "grader/classroom/class/remarks.h"

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

// Is the step the one to fix, for a test of a lab's report?
bool is_step_to_fix(const Json& lab, const std::string& step) {
  return std::ranges::any_of(lab["tests"], [&](const Json& test) {
    return test["fix"].get<std::string>().starts_with(step + " ");
  });
}

void add(const Row& row, const LabSpec& lab, const std::string& step, PartTally& tally) {
  const Json* report = row.lab(lab.id);
  if (report == nullptr) return;
  const auto [points, max_points] = core_points(*report, step);
  ++tally.num_graded;
  tally.num_full += points == max_points ? 1 : 0;
  tally.sum_points += points;
  tally.max_points = max_points;
  tally.counts.resize(static_cast<std::size_t>(max_points) + 1);
  ++tally.counts[static_cast<std::size_t>(points)];
  if (tally.num_causes) *tally.num_causes += is_step_to_fix(*report, step) ? 1 : 0;
}

void add_diagnoses(const Row& row, NamesByKey& diagnoses) {
  if (!row.has_score()) return;
  for (const Json& lab : row.report["labs"]) {
    const auto diagnosis = lab["diagnosis"].get<std::string>();
    if (!diagnosis.empty())
      diagnoses[lab["id"].get<std::string>() + ": " + diagnosis].push_back(row.name);
  }
}

constexpr std::size_t kMaxNames = 8;

std::string names_text(const std::vector<std::string>& names) {
  std::vector<std::string> shown(
      names.begin(),
      names.begin() + static_cast<std::ptrdiff_t>(std::min(kMaxNames, names.size())));
  const std::string more =
      names.size() > kMaxNames ? " and " + std::to_string(names.size() - kMaxNames) + " more" : "";
  return join(shown, ", ") + more;
}

std::string tally_line(const PartTally& tally) {
  std::array<char, 128> line;
  std::snprintf(line.data(), line.size(), "  %-5s %-38.38s %4d of %4d   %6.1f of %3d",
                tally.id.c_str(), tally.title.c_str(), tally.num_full, tally.num_graded,
                tally.mean(), tally.max_points);
  return line.data() + (tally.num_causes ? "   " + std::to_string(*tally.num_causes) : "") + "\n";
}

std::string list_text(const std::string& title, const std::vector<std::string>& lines) {
  return lines.empty() ? "" : "\n" + title + "\n  " + join(lines, "\n  ") + "\n";
}

// Submissions of which the same is said are one item.
std::string item_text(const Remark& remark,
                      const std::vector<std::string>& names,
                      std::size_t num_rows) {
  const bool is_said_of_all = names.size() > kMaxNames && names.size() == num_rows;
  std::vector<std::string> parts = {is_said_of_all ? "all" : join(names, ", ")};
  if (!remark.lab.empty()) parts.push_back("lab " + remark.lab);
  const bool is_said = remark.detail.empty() || remark.names_group();
  if (!is_said) parts.push_back(remark.detail);
  return join(parts, ": ");
}

// Who has no submission. Why beside those that are nobody's: one of them may be theirs.
void add_people_without(const ClassState& state, std::vector<Section>& sections) {
  std::vector<std::string> people;
  for (const Person* person : people_without(state.people(), state.by_owner()))
    people.push_back(person->name + " (" + person->id + ")");
  if (people.empty()) return;
  const auto nobodys = std::ranges::find(sections, title_of(Concern::kNoOwner), &Section::title);
  if (nobodys == sections.end())
    sections.push_back({"nothing was handed in by", people});
  else
    nobodys->items.push_back("one may belong to " + join(people, ", ") +
                             "; until then, they have no points in canvas.csv");
}

using SameRemark = std::pair<Remark, std::vector<std::string>>;  // and whose it is

// In the order of their concerns and labs, then of the first submission: never of a message, which
// may begin with a path.
std::vector<SameRemark> same_remarks(const ClassState& state) {
  std::map<Remark, std::vector<std::string>> names;
  for (const auto& [name, remarks] : remarks_of(state)) {
    for (const Remark& remark : remarks) names[remark].push_back(name);
  }
  std::vector<SameRemark> same(names.begin(), names.end());
  std::ranges::sort(same, {}, [](const SameRemark& each) {
    return std::tie(each.first.concern, each.first.lab, each.second.front(), each.first.detail);
  });
  return same;
}

std::vector<Section> sections_of(const ClassState& state) {
  std::vector<Section> sections;
  for (const auto& [remark, names] : same_remarks(state)) {
    if (sections.empty() || sections.back().title != title_of(remark.concern))
      sections.push_back({title_of(remark.concern)});
    sections.back().items.push_back(item_text(remark, names, state.rows.size()));
  }
  add_people_without(state, sections);
  return sections;
}

}  // namespace

Summary summary_of(const ClassState& state) {
  Summary summary;
  for (const LabSpec* lab : state.labs) {
    summary.labs.push_back({lab->id, lab->title});
    for (const Row& row : state.rows) add(row, *lab, "", summary.labs.back());
    for (const StepSpec& step : lab->steps) {
      if (!lab->is_core(step)) continue;
      summary.steps.push_back({.id = step.number, .title = step.name, .num_causes = 0});
      for (const Row& row : state.rows) add(row, *lab, step.number, summary.steps.back());
    }
  }
  NamesByKey diagnoses;
  for (const Row& row : state.rows) add_diagnoses(row, diagnoses);
  summary.diagnoses.assign(diagnoses.begin(), diagnoses.end());
  std::ranges::stable_sort(summary.diagnoses, std::ranges::greater(),
                           [](const auto& each) { return each.second.size(); });
  summary.to_look_at = sections_of(state);
  return summary;
}

std::string summary_text(const Summary& summary, std::size_t num_rows) {
  std::string text =
      "\ncore points" + std::string(35, ' ') + "have all of them  mean          cause\n";
  for (const PartTally& lab : summary.labs) {
    if (lab.num_graded > 0) text += tally_line(lab);
  }
  text += "\n";
  for (const PartTally& step : summary.steps) {
    if (step.num_graded > 0) text += tally_line(step);
  }
  text += "\n  cause: submissions in which the step's function makes tests fail, of any step\n";
  std::vector<std::string> lines;
  for (const auto& [diagnosis, names] : summary.diagnoses) {
    lines.push_back(std::to_string(names.size()) + " of " + std::to_string(num_rows) + "  " +
                    replace_all(diagnosis, "\n", "\n      ") + "\n      " + names_text(names));
  }
  text += list_text("the most frequent diagnoses", lines);
  lines.clear();
  for (const Section& section : summary.to_look_at)
    lines.push_back(section.title + "\n    " + join(section.items, "\n    "));
  return printable(text + list_text("to look at", lines));
}

}  // namespace kv::grader::classroom
