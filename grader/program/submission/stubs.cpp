#include <algorithm>

#include "grader/program/submission/submission.h"

namespace kv::grader {

std::vector<std::string> open_steps(const std::string& source) {
  constexpr std::string_view kMark = "KV_TODO(\"";
  std::vector<std::string> steps;
  for (const std::string& line : split_lines(source)) {
    const std::size_t at = line.find(kMark);
    const std::size_t first = line.find_first_not_of(' ');
    if (at == std::string::npos || line.compare(first, 2, "//") == 0) continue;
    const std::size_t start = at + kMark.size();
    steps.push_back(line.substr(start, line.find_first_of(" \"", start) - start));
  }
  return steps;
}

int Submission::num_core_stubs() const {
  int count = 0;
  for (const SubmittedLab& submitted : labs) {
    for (const StepSpec& step : submitted.lab->steps) {
      const bool is_open = std::ranges::count(submitted.open_steps, step.number) > 0;
      count += is_open && submitted.lab->is_core(step) ? 1 : 0;
    }
  }
  return count;
}

}  // namespace kv::grader
