#include "grader/classroom/class/row.h"

#include <algorithm>

#include "base/text/errors.h"
#include "base/text/shallow_json.h"

namespace kv::grader::classroom {
namespace {

constexpr int kFormat = 1;

// Throws Json::out_of_range. What is read of a report without at() has to be in it.
void expect_keys(const Json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) static_cast<void>(object.at(key));
}

void expect_report(const Json& report) {
  expect_keys(report, {"tree", "date", "seed", "kit", "compiler", "isolation", "labs", "score",
                       "max_score", "extra", "score_sheet_digest"});
  expect_keys(report["kit"], {"version", "commit"});
  expect_keys(report["compiler"], {"name", "options"});
  for (const Json& lab : report["labs"]) {
    expect_keys(lab, {"id", "state", "message", "score", "max_score", "extra", "diagnosis", "flags",
                      "steps", "tests"});
    for (const Json& step : lab["steps"])
      expect_keys(step, {"heading", "state", "score", "max_score", "extra", "max_extra"});
    for (const Json& test : lab["tests"])
      expect_keys(test, {"kind", "step", "status", "points", "max_points", "fix"});
  }
}

}  // namespace

const Json* Row::lab(const std::string& id) const {
  if (!has_score()) return nullptr;
  const auto found =
      std::ranges::find_if(report["labs"], [&](const Json& lab) { return lab["id"] == id; });
  return found == report["labs"].end() ? nullptr : &*found;
}

std::string points_text(int score, int extra) {
  return std::to_string(score) + " +" + std::to_string(extra);
}

std::string Row::note() const {
  std::vector<std::string> parts = notes;
  if (const std::string before = history(); !before.empty()) parts.push_back(before);
  if (!problem.empty()) parts.insert(parts.begin(), problem);
  return join(parts, "; ");
}

std::string Row::history() const {
  std::vector<std::string> grades;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    const EarlierGrade& grade = earlier[i];
    const bool is_last = i + 1 == earlier.size();
    const int score_after = is_last ? score() : earlier[i + 1].score;
    const int extra_after = is_last ? extra() : earlier[i + 1].extra;
    if (std::pair(grade.score, grade.extra) == std::pair(score_after, extra_after)) continue;
    grades.push_back(points_text(grade.score, grade.extra) + " on " +
                     divided(grade.date, "T").first);
  }
  return grades.empty() ? "" : "graded before: " + join(grades, ", ");
}

std::size_t Row::num_flags() const {
  std::size_t count = 0;
  if (!has_score()) return count;
  for (const Json& lab : report["labs"]) count += lab["flags"].size();
  return count;
}

bool Row::was_stopped() const {
  return problem.starts_with(kStopped);
}

std::string first_error_of(const Json& lab) {
  const std::vector<std::string> lines = split_lines(lab["message"].get<std::string>());
  return lines.empty() ? "" : lines.front();
}

std::string failures_of(const Json& lab) {
  std::vector<std::pair<std::string, int>> counts;  // in the order of the tests
  for (const Json& test : lab["tests"]) {
    const auto step = test["fix"].get<std::string>();
    if (step.empty()) continue;
    const auto found = std::ranges::find(counts, step, &std::pair<std::string, int>::first);
    if (found == counts.end())
      counts.push_back({step, 1});
    else
      ++found->second;
  }
  std::vector<std::string> parts;
  for (const auto& [step, count] : counts)
    parts.push_back(step + ": " + std::to_string(count) +
                    (count == 1 ? " test fails" : " tests fail"));
  return join(parts, "; ");
}

void to_json(Json& json, const EarlierGrade& grade) {
  json = {{"score", grade.score}, {"extra", grade.extra}, {"date", grade.date}};
}

void from_json(const Json& json, EarlierGrade& grade) {
  grade = {json.at("score"), json.at("extra"), json.at("date")};
}

Row load_row(const fs::path& file) {
  try {
    const Json json = shallow_json<Json>(read_file(file));
    if (json.at("format") != kFormat) throw UsageError("another format");
    if (!json.at("report").is_null()) expect_report(json["report"]);
    return {.name = json.at("submission"),
            .source_digest = json.at("source_digest"),
            .lab_digests = json.value("lab_digests", std::map<std::string, std::string>()),
            .kit_digest = json.at("kit_digest"),
            .problem = json.at("problem"),
            .notes = json.at("notes"),
            .seconds = json.at("seconds"),
            .earlier = json.value("earlier", std::vector<EarlierGrade>()),
            .report = json.at("report")};
  } catch (const std::exception& error) {
    throw UsageError(file.string() + " is no row of ./lab class (" + error.what() +
                     "); remove it, and the submission is graded again");
  }
}

void save_row(const Row& row, const fs::path& file) {
  const Json json = {{"format", kFormat},
                     {"submission", row.name},
                     {"source_digest", row.source_digest},
                     {"lab_digests", row.lab_digests},
                     {"kit_digest", row.kit_digest},
                     {"problem", row.problem},
                     {"notes", row.notes},
                     {"seconds", row.seconds},
                     {"earlier", row.earlier},
                     {"report", row.report}};
  write_file(file, json_text(json, 2) + "\n");
}

}  // namespace kv::grader::classroom
