#include <algorithm>
#include <map>

#include "common/cpptext/functions.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {
namespace {

constexpr std::size_t kMaxPageLines = 160;  // contracts, starter and solution: what a student reads
constexpr std::size_t kMaxFileLines = 300;  // everything else
constexpr std::size_t kMaxFunctionLines = 30;  // without blank lines: they divide it into ideas
constexpr std::size_t kMaxReadmeLines = 300;

std::vector<fs::path> files_in(const Kit& kit, const std::vector<std::string>& extensions) {
  std::vector<fs::path> files;
  for (const std::string folder :
       {"labs", "starter", "solution", "reference", "common", "simt", "grader"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kit.root / folder)) {
      if (std::ranges::count(extensions, entry.path().extension().string()) > 0) {
        files.push_back(entry.path());
      }
    }
  }
  std::ranges::sort(files);
  return files;
}

void check_format(const Kit& kit, Checks& checks) {
  if (!is_installed("clang-format")) return checks.unavailable("format", "clang-format");
  Command command{.argv = {"clang-format", "--dry-run", "-Werror"}};
  for (const fs::path& file : files_in(kit, {".h", ".cpp", ".cu", ".cuh"})) {
    command.argv.push_back(file.string());
  }
  const Outcome outcome = run(command);
  checks.expect(outcome.ok(), "clang-format: " + std::to_string(command.argv.size() - 3) + " files",
                outcome.output.substr(0, 2000));
}

// labs/NN-name/contract.h, starter/NN-name/file.cpp and solution/NN-name/file.cpp, as paths in the
// kit.
bool is_page(const fs::path& path) {
  const std::string tree = path.begin()->string();
  const auto depth = std::distance(path.begin(), path.end());
  return depth == 3 && (tree == "labs" || tree == "starter" || tree == "solution");
}

bool is_cpp(const fs::path& file) {
  return file.extension() == ".h" || file.extension() == ".cpp";
}

void check_lengths(const Kit& kit, Checks& checks) {
  std::string too_long;
  for (const fs::path& file : files_in(kit, {".h", ".cpp", ".js", ".css"})) {
    const std::string source = read_file(file);
    const std::string name = fs::relative(file, kit.root).string();
    const std::size_t max_lines = is_page(name) ? kMaxPageLines : kMaxFileLines;
    if (split_lines(source).size() > max_lines) too_long += name + "\n";
    if (!is_cpp(file)) continue;
    for (const FunctionText& function : all_functions(source)) {
      const auto num_blank = std::ranges::count(function.lines, std::string());
      if (function.lines.size() - static_cast<std::size_t>(num_blank) > kMaxFunctionLines)
        too_long += name + ": " + function.lines[0] + "\n";
    }
  }
  checks.expect(too_long.empty(), "pages of at most 160 lines, other files of 300, functions of 30",
                too_long);
  for (const LabSpec& lab : kit.manifest.labs) {
    const std::size_t num_lines = split_lines(read_file(kit.lab_folder(lab) / "README.md")).size();
    checks.expect(
        num_lines <= kMaxReadmeLines,
        "lab " + lab.id + ": README of " + std::to_string(num_lines) + " lines (300 at most)");
  }
}

void check_solution_is_written(const Kit& kit, Checks& checks) {
  std::string strays;
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const std::string& file : lab.files) {
      const std::string source = kit.solution_text(lab, file);
      if (source.find("KV_TODO(") != std::string::npos) strays += file + "\n";
    }
  }
  checks.expect(strays.empty(), "no KV_TODO in solution/", strays);
}

// An oracle that uses the code it is compared with proves nothing.
void check_oracles_are_independent(const Kit& kit, Checks& checks) {
  std::string dependent;
  for (const fs::path& file : files_in(kit, {".h"})) {
    if (file.parent_path().filename() != "reference") continue;
    for (const std::string& line : split_lines(read_file(file))) {
      const bool depends = line.starts_with("#include \"") && !line.starts_with("#include \"kv/");
      if (depends) dependent += file.filename().string() + ": " + line + "\n";
    }
  }
  checks.expect(dependent.empty(), "no oracle includes anything of the kit but kv/", dependent);
}

}  // namespace

void check_format_and_size(const Kit& kit, Checks& checks) {
  check_format(kit, checks);
  check_lengths(kit, checks);
  check_solution_is_written(kit, checks);
  check_oracles_are_independent(kit, checks);
}

}  // namespace kv::grader
