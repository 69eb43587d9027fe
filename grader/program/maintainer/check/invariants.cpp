// docs/invariants.md has every invariant; contract headers and READMEs quote them.

#include <map>
#include <regex>
#include <set>

#include "grader/program/maintainer/check/documents.h"

namespace kv::grader {
namespace {

using Invariants = std::map<std::string, std::string>;  // "I5" -> its sentences

// "I5" when `text` begins with the name of an invariant and `mark`; otherwise empty.
std::string invariant_name(const std::string& text, const std::string& mark) {
  const std::size_t end = text.find_first_not_of("0123456789", 1);
  const bool is_name = text.starts_with("I") && end != std::string::npos && end > 1;
  return is_name && text.compare(end, mark.size(), mark) == 0 ? text.substr(0, end) : "";
}

// The rows `| **I5** | sentences | ...` of the first table.
Invariants documented_invariants(const std::string& page) {
  Invariants invariants;
  for (const std::string& line : split_lines(page.substr(0, page.find("\n## ")))) {
    const std::vector<std::string> cells = table_cells(line);
    if (cells.size() < 2 || !cells[0].starts_with("**I")) continue;
    invariants[invariant_name(cells[0].substr(2), "**")] = cells[1];
  }
  return invariants;
}

// What is quoted in `text`: a line that begins with `start`, a name and `mark`, and the lines after
// it that begin with `more`.
Invariants quoted_invariants(const std::string& text,
                             const std::string& start,
                             const std::string& mark,
                             const std::string& more) {
  Invariants quoted;
  std::string name;
  for (const std::string& line : split_lines(text)) {
    const std::string rest = line.starts_with(start) ? line.substr(start.size()) : "";
    const std::string new_name = invariant_name(rest, mark);
    if (!new_name.empty()) {
      name = new_name;
      quoted[name] = without_outer_spaces(rest.substr(name.size() + mark.size()));
    } else if (!name.empty() && line.starts_with(more)) {
      quoted[name] += " " + without_outer_spaces(line.substr(more.size()));
    } else {
      name.clear();
    }
  }
  return quoted;
}

// A header quotes an invariant as it is; a README may add what follows from it.
std::string misquoted(const std::string& where, const Invariants& quoted, const Invariants& all) {
  std::string wrong;
  for (const auto& [name, text] : quoted) {
    const auto found = all.find(name);
    const bool is_header = where.ends_with(".h");
    if (found != all.end() && (is_header ? text == found->second : text.starts_with(found->second)))
      continue;
    wrong += where + " has\n  " + name + "  " + text + "\ndocs/invariants.md has\n  " +
             (found == all.end() ? "none of that name" : name + "  " + found->second) + "\n";
  }
  return wrong;
}

}  // namespace

void check_invariants(const Kit& kit, Checks& checks) {
  const Invariants all = documented_invariants(read_file(kit.root / "docs" / "invariants.md"));
  Invariants in_headers, in_readmes;
  std::string wrong;
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const std::string& header : lab.headers) {
      const std::string text = read_file(kit.lab_folder(lab) / header);
      const Invariants quoted = quoted_invariants(text, "//   ", "  ", "//       ");
      wrong += misquoted("labs/" + lab.folder + "/" + header, quoted, all);
      in_headers.insert(quoted.begin(), quoted.end());
    }
    const std::string readme = read_file(kit.lab_folder(lab) / "README.md");
    const Invariants quoted = quoted_invariants(readme, "- **", "**", "  ");
    wrong += misquoted("labs/" + lab.folder + "/README.md", quoted, all);
    in_readmes.insert(quoted.begin(), quoted.end());
  }
  for (const auto& [name, text] : all) {
    if (!in_headers.contains(name)) wrong += "no header states " + name + "\n";
    if (!in_readmes.contains(name)) wrong += "no README states " + name + "\n";
  }
  checks.expect(
      !all.empty() && wrong.empty(),
      std::to_string(all.size()) + " invariants: headers and READMEs quote docs/invariants.md",
      wrong);
}

// The picture in README.md, a recording of ./lab watch.

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
