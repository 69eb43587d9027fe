// The picture in README.md, a recording of ./lab watch.

#include <regex>
#include <set>

#include "grader/program/maintainer/check/documents.h"

namespace kv::grader {
namespace {

// The rows of right steps as the picture shows them: "1.5 popleft_n ok 13/13".
std::set<std::string> right_rows(const LabSpec& lab) {
  std::set<std::string> rows;
  for (const StepSpec& step : lab.steps) {
    const auto is_of_step = [&](const TestSpec& test) {
      return test.step == step.number && !test.is_history();
    };
    for (const bool is_core : {true, false}) {
      const std::string points = std::to_string(lab.with_tests(is_of_step).max_points(is_core));
      rows.insert(step.heading() + " ok " + points + "/" + points);
    }
  }
  return rows;
}

}  // namespace

std::string words_of_picture(const Kit& kit) {
  std::string text = read_file(kit.root / "docs/site/figures/watch.svg");
  text = std::regex_replace(text, std::regex("<[^>]*>"), " ");
  text = replace_all(replace_all(text, "&lt;", "<"), "&gt;", ">");
  return in_one_line(replace_all(text, "&amp;", "&"));
}

void check_picture(const Kit& kit, Checks& checks) {
  const std::string words = words_of_picture(kit);
  const std::set<std::string> right = right_rows(kit.manifest.labs.front());
  const std::regex row(R"(\d+\.\d+ \S+ ok \d+/\d+)");
  std::size_t num_rows = 0;
  std::string wrong;
  for (std::sregex_iterator shown(words.begin(), words.end(), row), none; shown != none; ++shown) {
    ++num_rows;
    if (!right.contains(shown->str())) wrong += shown->str() + "\n";
  }
  checks.expect(num_rows > 0 && wrong.empty(),
                "the picture in README.md: a step has the points of the score sheet", wrong);
}

}  // namespace kv::grader
