#include "grader/classroom/class/remarks.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>

namespace kv::grader::classroom {
namespace {

struct ConcernText {
  const char* title;
  const char* of_a_lab;  // "lab 01 ..."
};

constexpr std::array<ConcernText, 12> kTexts = {
    {{"not graded", ""},
     {"a time limit was reached", "reached a time limit"},
     {"a call costs too much", "has a call that costs too much"},
     {"do not compile", "does not compile"},
     {"fail, and no known bug explains it", "fails, and no known bug explains it"},
     {"not started", "is not started"},
     {"not submitted", "is not submitted"},
     {"the same files", ""},
     {"several submissions of one person: say which counts with --keep, or take away all but one",
      ""},
     {"nobody's: give each name one id of the roster, as in lovelace_12345, and run this again",
      ""},
     {"flags", "has a flag"},
     {"notes", ""}}};

const ConcernText& text_of(Concern concern) {
  return kTexts.at(static_cast<std::size_t>(concern));
}

// Why the whole submission was not graded to its end. Its notes are separate.
std::vector<Remark> problem_of(const Row& row) {
  if (row.problem.empty()) return {};
  if (row.was_stopped()) return {{Concern::kTimeLimit, "", row.problem}};
  return {{Concern::kNotGraded, "", row.problem}};
}

// How many tests reached the time limit, by the cost test that explains it; "": none does.
std::map<std::string, std::size_t> tests_at_a_limit(const Json& lab) {
  std::map<std::string, std::size_t> counts;
  for (const Json& test : lab["tests"]) {
    if (test["status"] == "timeout") ++counts[test.value("explained_by", "")];
  }
  return counts;
}

// At a time limit, or else without a known bug that explains them.
void add_failures_of(const Json& lab, std::vector<Remark>& remarks) {
  const auto id = lab["id"].get<std::string>();
  const std::map<std::string, std::size_t> at_a_limit = tests_at_a_limit(lab);
  for (const auto& [cost_test, count] : at_a_limit) {
    if (cost_test.empty())
      remarks.push_back({Concern::kTimeLimit, id, plural(count, "test")});
    else
      remarks.push_back(
          {Concern::kCost, id, cost_test + " fails, and stops " + plural(count, "more test")});
  }
  if (!at_a_limit.empty() || lab["state"] != "in progress" || lab["diagnosis"] != "") return;
  const std::string failures = failures_of(lab);
  if (!failures.empty()) remarks.push_back({Concern::kUnexplained, id, failures});
}

void add_remarks_of(const Json& lab, std::vector<Remark>& remarks) {
  const auto id = lab["id"].get<std::string>();
  const auto state = lab["state"].get<std::string>();
  if (state == "does not compile")
    remarks.push_back({Concern::kDoesNotCompile, id, first_error_of(lab)});
  if (state == "not started") remarks.push_back({Concern::kNotStarted, id});
  if (state == "not submitted") remarks.push_back({Concern::kNotSubmitted, id});
  add_failures_of(lab, remarks);
  for (const Json& flag : lab["flags"])
    remarks.push_back({Concern::kFlag, id, flag.get<std::string>()});
}

// A remark for each submission of a group of several: who is in it.
template <class Key>
void add_group_remarks(const std::map<Key, std::vector<std::string>>& groups,
                       Concern concern,
                       std::map<std::string, std::vector<Remark>>& all) {
  for (const auto& [key, names] : groups) {
    if (names.size() < 2) continue;
    for (const std::string& name : names) all[name].push_back({concern, "", join(names, ", ")});
  }
}

// Submissions that differ and have one lab in common, its stubs apart.
void add_remarks_of_equal_labs(const ClassState& state,
                               std::map<std::string, std::vector<Remark>>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<const Row*>> by_lab;
  for (const Row& row : state.rows) {
    for (const auto& [id, digest] : row.lab_digests) {
      const Json* const lab = row.lab(id);
      if (lab != nullptr && (*lab)["state"] != "not started") by_lab[{id, digest}].push_back(&row);
    }
  }
  for (const auto& [lab, rows] : by_lab) {
    std::set<std::string> submissions;
    std::vector<std::string> names;
    for (const Row* row : rows) {
      submissions.insert(row->source_digest);
      names.push_back(row->name);
    }
    if (submissions.size() < 2) continue;
    for (const std::string& name : names)
      all[name].push_back({Concern::kSameFiles, lab.first, join(names, ", ")});
  }
}

// Which of several submissions of one person counts, and what being late costs.
void add_remarks_of_terms(const ClassState& state,
                          std::map<std::string, std::vector<Remark>>& all) {
  const std::map<const Person*, const Row*> counted = counted_rows(state);
  for (const auto& [person, names] : state.by_owner()) {
    const Row* const own = person == nullptr ? nullptr : counted.at(person);
    const double factor = person == nullptr ? 1 : state.late.factor(*person);
    if (own != nullptr && factor < 1) {
      const std::string left = "late: " + factor_text(factor) + " of the points count";
      all[own->name].push_back({Concern::kNote, "", left});
    }
    if (own != nullptr)
      for (const std::string& decision : person->decisions)
        all[own->name].push_back({Concern::kNote, "", decision});
    if (person == nullptr || names.size() == 1 || state.keep == Keep::kNone) continue;
    const std::string said = own == nullptr ? "which submission of this person counts is open"
                                            : "does not count, but " + own->name + " does";
    for (const std::string& name : names) {
      const bool is_other = all.contains(name) && (own == nullptr || name != own->name);
      if (is_other) all[name].push_back({Concern::kNote, "", said});
    }
  }
}

// "ada, bob and 17 more"
std::string few_names(const std::string& names) {
  constexpr std::size_t kFew = 5;
  std::vector<std::string> each = split_lines(replace_all(names, ", ", "\n"));
  if (each.size() <= kFew + 1) return names;
  const std::string more = " and " + std::to_string(each.size() - kFew) + " more";
  each.resize(kFew);
  return join(each, ", ") + more;
}

}  // namespace

const char* title_of(Concern concern) {
  return text_of(concern).title;
}

bool Remark::names_group() const {
  return concern == Concern::kSameFiles || concern == Concern::kSameOwner;
}

std::string Remark::brief() const {
  const std::string of_lab = lab.empty() ? "" : " of lab " + lab;
  if (names_group()) return title_of(concern) + of_lab + ": " + few_names(detail);
  return lab.empty() ? detail : "lab " + lab + " " + text_of(concern).of_a_lab;
}

std::string Remark::text() const {
  return lab.empty() || detail.empty() || names_group() ? brief() : brief() + ": " + detail;
}

std::vector<std::string> lines_of(const std::vector<Remark>& remarks,
                                  std::string (Remark::*text)() const) {
  std::vector<std::string> lines;
  for (auto first = remarks.begin(); first != remarks.end();) {
    const Concern concern = first->concern;
    const bool is_of_labs = concern == Concern::kNotStarted || concern == Concern::kNotSubmitted;
    const auto end = std::find_if(first + 1, remarks.end(), [&](const Remark& remark) {
      return !is_of_labs || remark.concern != concern;
    });
    std::vector<std::string> labs;
    std::transform(first, end, std::back_inserter(labs), std::mem_fn(&Remark::lab));
    if (labs.size() > 1)
      lines.push_back("labs " + join(labs, ", ") + " are " + title_of(concern));
    else if (concern != Concern::kFlag)
      lines.push_back(((*first).*text)());
    first = end;
  }
  return lines;
}

std::vector<Remark> remarks_of(const Row& row) {
  std::vector<Remark> remarks = problem_of(row);
  if (row.has_score()) {
    for (const Json& lab : row.report["labs"]) add_remarks_of(lab, remarks);
  }
  for (const std::string& note : row.notes) remarks.push_back({Concern::kNote, "", note});
  if (const std::string before = row.history(); !before.empty())
    remarks.push_back({Concern::kNote, "", before});
  for (Remark& remark : remarks) remark.detail = one_line(remark.detail);
  return remarks;
}

std::map<std::string, std::vector<Remark>> remarks_of(const ClassState& state) {
  std::map<std::string, std::vector<Remark>> all;
  std::map<std::string, std::vector<std::string>> by_digest;
  std::map<const Person*, std::vector<std::string>> by_owner;
  for (const Row& row : state.rows) {
    all[row.name] = remarks_of(row);
    const Owners owners = state.owners(row);
    if (row.has_score() && !row.source_digest.empty())
      by_digest[row.source_digest].push_back(row.name);
    for (const Person* owner : owners) by_owner[owner].push_back(row.name);
    if (owners.empty() && !state.people().empty())
      all[row.name].push_back({Concern::kNoOwner, "", why_nobodys(state.people(), row.name)});
  }
  add_group_remarks(by_digest, Concern::kSameFiles, all);
  add_remarks_of_equal_labs(state, all);
  if (state.keep == Keep::kNone) add_group_remarks(by_owner, Concern::kSameOwner, all);
  add_remarks_of_terms(state, all);
  for (auto& [name, remarks] : all) std::ranges::stable_sort(remarks, {}, &Remark::concern);
  return all;
}

}  // namespace kv::grader::classroom
