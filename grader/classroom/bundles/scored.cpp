#include "grader/classroom/bundles/scored.h"

#include <algorithm>
#include <numeric>

namespace kv::grader::services {
namespace {

using classroom::Row;

constexpr const char* kNotGraded = "not graded";

template <class Range, class Function>
int sum(const Range& range, const Function& value) {
  return std::accumulate(range.begin(), range.end(), 0,
                         [&](int total, const auto& each) { return total + value(each); });
}

ScoredTest scored_test(const TestSpec& spec, const Json* lab) {
  ScoredTest test{.name = spec.name, .status = kNotGraded, .max_points = spec.max_points};
  if (lab == nullptr) return test;
  const Json& tests = (*lab)["tests"];
  const auto found =
      std::ranges::find_if(tests, [&](const Json& each) { return each["name"] == spec.name; });
  if (found == tests.end()) return test;
  test.status = (*found)["status"];
  test.points = (*found)["points"];
  test.output = (*found)["output"];
  return test;
}

ScoredPart& part_of(ScoredLab& scored, const LabSpec& lab, const TestSpec& test) {
  const auto found = std::ranges::find_if(scored.parts, [&](const ScoredPart& part) {
    return part.number == test.step && part.is_core == test.is_core;
  });
  if (found != scored.parts.end()) return *found;
  const std::string kind = test.is_core ? "" : " (extra)";
  scored.parts.push_back({test.step, lab.step(test.step).heading() + kind, test.is_core});
  return scored.parts.back();
}

ScoredLab scored_lab(const LabSpec& lab, const Json* report) {
  ScoredLab scored{.id = lab.id, .title = lab.title, .state = kNotGraded, .message = ""};
  if (report != nullptr) {
    scored.state = (*report)["state"];
    scored.message = (*report)["message"];
  }
  for (const TestSpec& test : lab.tests)
    part_of(scored, lab, test).tests.push_back(scored_test(test, report));
  std::stable_partition(scored.parts.begin(), scored.parts.end(),
                        [](const ScoredPart& part) { return part.is_core; });
  return scored;
}

// Adds the texts of a list in the report, with the lab's number in front.
void add_texts(const Json& lab, const char* list, std::vector<std::string>& texts) {
  for (const Json& text : lab[list])
    texts.push_back("lab " + lab["id"].get<std::string>() + ": " + text.get<std::string>());
}

}  // namespace

int ScoredPart::points() const {
  return sum(tests, [](const ScoredTest& test) { return test.points; });
}

int ScoredPart::max_points() const {
  return sum(tests, [](const ScoredTest& test) { return test.max_points; });
}

bool ScoredPart::passed() const {
  return std::ranges::all_of(tests, &ScoredTest::passed);
}

std::string ScoredPart::text() const {
  std::string lines;
  for (const ScoredTest& test : tests) {
    const std::string status = replace_all(test.status, "_", " ");
    lines += status + "  " + test.name + "  " + std::to_string(test.points) + "/" +
             std::to_string(test.max_points) + "\n";
  }
  const auto failed = std::ranges::find_if(
      tests, [](const ScoredTest& test) { return !test.passed() && !test.output.empty(); });
  return failed == tests.end() ? lines : lines + "\n" + failed->output;
}

int ScoredLab::points(bool is_core) const {
  return sum(parts,
             [&](const ScoredPart& part) { return part.is_core == is_core ? part.points() : 0; });
}

int ScoredLab::max_points(bool is_core) const {
  return sum(parts, [&](const ScoredPart& part) {
    return part.is_core == is_core ? part.max_points() : 0;
  });
}

std::vector<ScoredTest> ScoredLab::tests(bool is_core) const {
  std::vector<ScoredTest> found;
  for (const ScoredPart& part : parts) {
    if (part.is_core == is_core) found.insert(found.end(), part.tests.begin(), part.tests.end());
  }
  return found;
}

int Scored::points(bool is_core) const {
  return sum(labs, [&](const ScoredLab& lab) { return lab.points(is_core); });
}

int Scored::max_points(bool is_core) const {
  return sum(labs, [&](const ScoredLab& lab) { return lab.max_points(is_core); });
}

std::string Scored::headline() const {
  const auto of = [&](bool is_core) {
    return std::to_string(points(is_core)) + "/" + std::to_string(max_points(is_core));
  };
  return of(true) + " points, " + of(false) + " extra";
}

std::string Scored::text() const {
  std::string text = problem.empty() ? "" : problem + "\n";
  for (const std::string& note : notes) text += "note: " + note + "\n";
  for (const ScoredLab& lab : labs) {
    text += "lab " + lab.id + " " + lab.title + ": " + lab.state + "\n";
    if (!lab.message.empty()) text += lab.message + "\n";
  }
  for (const std::string& note : graded) text += note + "\n";
  return text;
}

Scored scored(const std::vector<const LabSpec*>& labs, const Row& row) {
  Scored scored{.problem = row.problem, .notes = row.notes, .seconds = row.seconds};
  for (const LabSpec* lab : labs) {
    const Json* report = row.lab(lab->id);
    scored.labs.push_back(scored_lab(*lab, report));
    if (report == nullptr) continue;
    add_texts(*report, "notes", scored.graded);
    add_texts(*report, "flags", scored.flags);
  }
  return scored;
}

}  // namespace kv::grader::services
