#include "grader/program/student/pages/listing.h"

#include <cstdlib>

#include "common/errors.h"
#include "grader/program/student/steps/places.h"

namespace kv::grader::pages {
namespace {

// "labs/.../queue_test.cpp:88"
struct SourcePlace {
  explicit SourcePlace(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return;
    file = text.substr(0, colon);
    line = std::strtoul(text.c_str() + colon + 1, nullptr, 10);
  }

  std::string file;
  std::size_t line = 0;
};

std::size_t first_line(std::string_view source, const FunctionText& function) {
  return steps::place_of(source, function.begin).line;
}

bool is_in(std::string_view source, const FunctionText& function, std::size_t line) {
  const std::size_t first = first_line(source, function);
  return first <= line && line < first + function.lines.size();
}

// mark: a line; 0 or one outside of the function marks none.
Json listing(const std::string& file,
             std::string_view source,
             const FunctionText& function,
             std::size_t mark) {
  Json lines = Json::array();
  for (const std::string& line : function.lines) lines.push_back(printable(line));
  return {{"file", file},
          {"first", first_line(source, function)},
          {"lines", lines},
          {"mark", is_in(source, function, mark) ? mark : 0}};
}

}  // namespace

Json students_function(const Kit& kit,
                       const Submission& submission,
                       const LabSpec& lab,
                       const StepSpec& asked,
                       const Verdict& verdict) {
  const StepSpec& step = lab.with_stub(asked);
  const fs::path path = submission.stage / lab.folder / step.file;
  if (!fs::is_regular_file(path)) return nullptr;
  const std::string source = read_file(path);
  const auto function = steps::find_step(kit, lab, step, source);
  if (!function) return nullptr;
  const std::string own_path = submission.with_own_paths(path.string());
  const SourcePlace crash(verdict.own_source);
  return listing(own_path, source, *function, crash.file == own_path ? crash.line : 0);
}

Json test_function(const Kit& kit, const Verdict& verdict) {
  const SourcePlace place(verdict.source);
  if (place.file.empty() || !fs::is_regular_file(kit.root / place.file)) return nullptr;
  const std::string source = read_file(kit.root / place.file);
  for (const FunctionText& function : all_functions(source)) {
    if (is_in(source, function, place.line))
      return listing(place.file, source, function, place.line);
  }
  return nullptr;
}

}  // namespace kv::grader::pages
