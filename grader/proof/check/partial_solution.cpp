#include "grader/proof/check/partial_solution.h"

#include <algorithm>

#include "base/text/errors.h"
#include "grader/engine/submission/stubs.h"
#include "grader/engine/variations/variation.h"

namespace kv::grader {
namespace {

// The hunks of `diff starter solution`. Each has to replace exactly one KV_TODO line.
struct Hunk {
  std::string step;       // "1.2"; empty: not a hunk that replaces one KV_TODO line
  std::string todo_line;  // the line it replaces
  std::vector<std::string> solution_lines;
};

// Finishes a hunk: it is valid if it removes exactly one line, and that line is a KV_TODO.
void close(Hunk& hunk, const std::vector<std::string>& starter_lines) {
  if (starter_lines.size() != 1) return;
  const std::vector<std::string> steps = open_steps(starter_lines.front());
  if (steps.size() != 1) return;
  hunk.step = steps.front();
  hunk.todo_line = starter_lines.front();
}

// The hunks of one student file.
std::vector<Hunk> hunks_of(const Kit& kit, const LabSpec& lab, const std::string& file) {
  const fs::path path = fs::path(lab.folder) / file;
  const Outcome diff = run({.argv = {"diff", (kit.root / "starter" / path).string(),
                                     (kit.root / "solution" / path).string()}});
  std::vector<Hunk> hunks;
  std::vector<std::string> starter_lines;
  for (const std::string& line : split_lines(diff.output)) {
    if (line.starts_with("< ")) {
      starter_lines.push_back(line.substr(2));
    } else if (line.starts_with(">")) {
      hunks.back().solution_lines.push_back(line.substr(std::min<std::size_t>(2, line.size())));
    } else if (!line.starts_with("---")) {
      if (!hunks.empty()) close(hunks.back(), starter_lines);
      hunks.emplace_back();
      starter_lines.clear();
    }
  }
  if (!hunks.empty()) close(hunks.back(), starter_lines);
  return hunks;
}

// What replaces a KV_TODO line: the solution, or the first form of what a later step rewrites.
std::vector<std::string> written(const LabSpec& lab,
                                 const Hunk& hunk,
                                 const IsWritten& is_written) {
  for (const StepSpec& step : lab.steps) {
    const auto first_form = step.first_forms.find(hunk.step);
    if (first_form != step.first_forms.end() && !is_written(step.number))
      return {"  " + first_form->second};
  }
  return hunk.solution_lines;
}

}  // namespace

std::string text_with_steps(const Kit& kit,
                            const LabSpec& lab,
                            const IsWritten& is_written,
                            const std::string& file) {
  std::string source = read_file(kit.root / "starter" / lab.folder / file);
  for (const Hunk& hunk : hunks_of(kit, lab, file)) {
    if (!is_written(hunk.step)) continue;
    source = replace_all(source, hunk.todo_line + "\n",
                         join(written(lab, hunk, is_written), "\n") + "\n");
  }
  return source;
}

std::string core_only_text(const Kit& kit, const LabSpec& lab, const std::string& file) {
  const auto is_core = [&](const std::string& step) { return lab.is_core(lab.step(step)); };
  std::string text = text_with_steps(kit, lab, is_core, file);
  for (const Variation& bug : load_variations(kit, lab, "known_bugs"))
    if (bug.is_core_only && bug.file == file) text = varied(text, bug);
  return text;
}

}  // namespace kv::grader
