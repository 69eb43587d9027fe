#include "grader/program/classroom/remarks.h"

#include <algorithm>
#include <array>

namespace kv::grader::classroom {
namespace {

struct ConcernText {
  const char* title;
  const char* of_a_lab;  // "lab 01 ..."
};

constexpr std::array<ConcernText, 9> kTexts = {
    {{"not graded", ""},
     {"a time limit was reached", "reached a time limit"},
     {"do not compile", "does not compile"},
     {"not started", "is not started"},
     {"not submitted", "is not submitted"},
     {"the same files", ""},
     {"without a person in the roster", ""},
     {"flags", "has a flag"},
     {"notes", ""}}};

const ConcernText& text_of(Concern concern) {
  return kTexts.at(static_cast<std::size_t>(concern));
}

// Of the whole submission, beside the notes.
std::vector<Remark> problem_of(const Row& row) {
  if (row.problem.empty()) return {};
  if (row.was_stopped()) return {{Concern::kTimeLimit, "", row.problem}};
  return {{Concern::kNotGraded, "", row.problem}};
}

std::string tests_at_a_limit(const Json& lab) {
  const auto count = std::ranges::count_if(
      lab["tests"], [](const Json& test) { return test["status"] == "timeout"; });
  return count == 0 ? "" : std::to_string(count) + (count == 1 ? " test" : " tests");
}

void add_remarks_of(const Json& lab, std::vector<Remark>& remarks) {
  const auto id = lab["id"].get<std::string>();
  const auto state = lab["state"].get<std::string>();
  if (state == "does not compile")
    remarks.push_back({Concern::kDoesNotCompile, id, first_error_of(lab)});
  if (state == "not started") remarks.push_back({Concern::kNotStarted, id});
  if (state == "not submitted") remarks.push_back({Concern::kNotSubmitted, id});
  if (const std::string tests = tests_at_a_limit(lab); !tests.empty())
    remarks.push_back({Concern::kTimeLimit, id, tests});
  for (const Json& flag : lab["flags"])
    remarks.push_back({Concern::kFlag, id, flag.get<std::string>()});
}

using NamesByDigest = std::map<std::string, std::vector<std::string>>;

NamesByDigest names_by_digest(const std::vector<Row>& rows) {
  NamesByDigest names;
  for (const Row& row : rows) {
    if (!row.source_digest.empty() && row.has_score()) names[row.source_digest].push_back(row.name);
  }
  return names;
}

}  // namespace

const char* title_of(Concern concern) {
  return text_of(concern).title;
}

std::string Remark::brief() const {
  if (concern == Concern::kSameFiles) return "the same files: " + detail;
  return lab.empty() ? detail : "lab " + lab + " " + text_of(concern).of_a_lab;
}

std::string Remark::text() const {
  return lab.empty() || detail.empty() ? brief() : brief() + ": " + detail;
}

std::vector<Remark> remarks_of(const Row& row) {
  std::vector<Remark> remarks = problem_of(row);
  if (row.has_score()) {
    for (const Json& lab : row.report["labs"]) add_remarks_of(lab, remarks);
  }
  for (const std::string& note : row.notes) remarks.push_back({Concern::kNote, "", note});
  for (Remark& remark : remarks) remark.detail = one_line(remark.detail);
  return remarks;
}

std::map<std::string, std::vector<Remark>> remarks_of(const ClassState& state) {
  const NamesByDigest names = names_by_digest(state.rows);
  std::map<std::string, std::vector<Remark>> all;
  for (const Row& row : state.rows) {
    std::vector<Remark>& remarks = all[row.name];
    remarks = remarks_of(row);
    const auto same = names.find(row.source_digest);
    if (row.has_score() && same != names.end() && same->second.size() > 1)
      remarks.push_back({Concern::kSameFiles, "", join(same->second, ", ")});
    if (!state.people.empty() && state.owner(row) == nullptr)
      remarks.push_back({Concern::kNoOwner, "", "no id of the roster is in the name, or several"});
    std::ranges::stable_sort(remarks, {}, &Remark::concern);
  }
  return all;
}

}  // namespace kv::grader::classroom
