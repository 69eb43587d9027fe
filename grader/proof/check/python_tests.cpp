#include "grader/proof/check/python_tests.h"

#include <algorithm>
#include <regex>

#include "base/text/errors.h"

namespace kv::grader {
namespace {

constexpr const char* kFolders[] = {"apps/tests", "grader/classroom/tests", "grader/desk/tests",
                                    "simt/tests", "tests"};

// "=== 1 failed, 20 passed, 2 skipped in 5.03s ===", the last line.
int number_before(const std::string& output, const std::string& word) {
  const std::vector<std::string> lines = split_lines(output);
  std::smatch found;
  if (lines.empty() || !std::regex_search(lines.back(), found, std::regex("(\\d+) " + word)))
    return 0;
  return std::stoi(found[1]);
}

// From the summary at the end, as "FAILED tests/test_x.py::test_a - assert 1 == 2": the tests.
std::vector<std::string> names_of_failed(const std::string& output) {
  std::vector<std::string> names;
  const std::size_t summary = output.rfind(" short test summary info ");
  if (summary == std::string::npos) return names;

  for (const std::string& line : split_lines(output.substr(summary)))
    for (const std::string before : {"FAILED ", "ERROR "})
      if (line.starts_with(before))
        names.push_back(line.substr(before.size(), line.find(" - ") - before.size()));
  return names;
}

bool is_python_test(const fs::path& file) {
  return file.extension() == ".py" && file.filename().string().starts_with("test_");
}

std::string title_of(const fs::path& file) {
  const std::string first_line = split_lines(read_file(file)).front();
  if (!first_line.starts_with("\"\"\""))
    throw KitBroken(file.string() + " does not begin with a docstring; its first line is a title");
  return replace_all(first_line, "\"\"\"", "");
}

Command pytest(const Kit& kit, const std::vector<PythonTests>& tests, bool full) {
  Command command{.argv = {is_installed("pytest-3") ? "pytest-3" : "pytest", "-q", "-rfEs", "-n",
                           "auto", "--dist", "loadfile", "--durations=10", "--durations-min=5"},
                  .environment = {{"LAB_PROGRAM", kit.program.string()},
                                  {"LAB_ROOT", kit.root.string()},
                                  {"LAB_BUILD_DIR", kit.build.string()},
                                  {"PYTHONDONTWRITEBYTECODE", "1"}}};
  if (!full) command.argv.insert(command.argv.end(), {"-m", "not full"});
  for (const PythonTests& one : tests) command.argv.push_back(one.file.string());
  return command;
}

}  // namespace

std::vector<PythonTests> python_tests(const Kit& kit) {
  std::vector<PythonTests> tests;
  for (const char* folder : kFolders)
    for (const auto& entry : fs::recursive_directory_iterator(kit.root / folder))
      if (is_python_test(entry.path())) tests.push_back({entry.path(), title_of(entry.path())});
  std::ranges::sort(tests, {}, &PythonTests::file);
  return tests;
}

Checks run_python_tests(const Kit& kit, const std::vector<PythonTests>& tests, bool full) {
  Checks checks(Checks::Print::kLater);
  const Outcome outcome = run(pytest(kit, tests, full));
  checks.print("\n" + outcome.output);
  const std::vector<std::string> failed = names_of_failed(outcome.output);
  checks.count(number_before(outcome.output, "passed"), number_before(outcome.output, "skipped"),
               failed);
  const bool has_ended = outcome.ok() || (outcome.exit_code == 1 && !failed.empty());
  if (!has_ended) checks.expect(false, "pytest ends", "exit " + std::to_string(outcome.exit_code));
  return checks;
}

}  // namespace kv::grader
