#include "grader/program/simt/simt_build.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "grader/program/base/errors.h"
#include "grader/program/kit/build_tree.h"
#include "grader/program/simt/rewritten_tree.h"
#include "grader/program/simt/simt_refusal.h"

namespace kv::grader {
namespace {

std::string default_compiler() {
  const char* const chosen = std::getenv("CXX");
  return chosen == nullptr ? "c++" : chosen;
}

bool is_clang(const std::string& compiler) {
  return run({.argv = {compiler, "--version"}}).output.find("clang") != std::string::npos;
}

void require(const Outcome& outcome, const std::string& what) {
  if (outcome.ok()) return;
  const std::string refusal = simt_refusal(outcome.output);
  if (!refusal.empty()) throw UsageError(refusal);
  throw UsageError(what + "\n" + first_error(outcome.output));
}

constexpr int kOldestStandard = 20;  // that simt's headers need

// "c++17" becomes 20: programs of older standards compile with the newer one.
std::string standard_option(const std::string& standard) {
  static const std::regex form("(c|gnu)\\+\\+(\\d\\d)");
  std::smatch found;
  if (!std::regex_match(standard, found, form)) {
    throw UsageError("-std=" + standard + " is not a C++ standard; write -std=c++20");
  }
  const int year = std::stoi(found[2]) > 90 ? kOldestStandard : std::stoi(found[2]);
  return "-std=" + found[1].str() + "++" + std::to_string(std::max(year, kOldestStandard));
}

bool is_cuda(const fs::path& file) {
  return file.extension() == ".cu";
}

}  // namespace

SimtBuild::SimtBuild(const Kit& kit, const SimtOptions& options)
    : kit_(kit), compiler_(options.compiler.empty() ? default_compiler() : options.compiler) {
  for (const std::string& file : options.files) {
    if (!fs::is_regular_file(file)) throw UsageError("no file \"" + file + "\"");
    files_.push_back(fs::weakly_canonical(file));
  }
  for (const std::string& folder : options.include_folders) {
    if (!fs::is_directory(folder)) throw UsageError("no folder \"" + folder + "\" for -I");
    include_folders_.push_back(fs::weakly_canonical(folder));
  }
  for (const std::string& macro : options.macros) options_.push_back("-D" + macro);
  if (!options.standard.empty()) options_.push_back(standard_option(options.standard));
  if (!is_installed(compiler_)) throw UsageError("no compiler \"" + compiler_ + "\" here");
  std::string key = compiler_;
  for (const fs::path& file : files_) key += file.string();
  const std::size_t digest = std::hash<std::string>()(key);
  folder_ = kit.build / "simt" /
            (files_.front().stem().string() + "-" + std::to_string(digest % 1000000));
}

std::string SimtBuild::names() const {
  std::string names;
  for (const fs::path& file : files_) names += (names.empty() ? "" : ", ") + file.string();
  return names;
}

// The rewritten folders come first, then our headers with CUDA's names, then those of the program.
std::vector<std::string> SimtBuild::include_options(const fs::path& mirror) const {
  std::vector<std::string> options;
  for (const fs::path& folder : include_folders_) {
    options.push_back("-I" + (mirror / folder.relative_path()).string());
  }
  options.push_back("-I" + (kit_.root / "simt" / "include").string());
  options.push_back("-I" + (kit_.root / "labs").string());
  for (const fs::path& folder : include_folders_) options.push_back("-I" + folder.string());
  return options;
}

std::vector<std::string> SimtBuild::compile_command(const std::string& level,
                                                    const fs::path& mirror,
                                                    const fs::path& file) const {
  const fs::path flags = kit_.root / "simt" / "flags";
  const std::string own = is_clang(compiler_) ? "clang++.txt" : "g++.txt";
  std::vector<std::string> command{compiler_, "@" + (flags / "common.txt").string(),
                                   "@" + (flags / own).string(), "-O" + level};
  if (is_cuda(file)) command.push_back("@" + (flags / "nvcc_macros.txt").string());
  command.push_back("-iquote" + file.parent_path().string());
  const std::vector<std::string> includes = include_options(mirror);
  command.insert(command.end(), includes.begin(), includes.end());
  command.insert(command.end(), options_.begin(), options_.end());
  return command;
}

// Returns the object file.
fs::path SimtBuild::compile(const std::string& level,
                            const fs::path& folder,
                            std::size_t number) const {
  const fs::path& file = files_[number];
  const fs::path object = folder / ("program" + std::to_string(number) + ".o");
  RewrittenTree tree(folder / "source", include_folders_, kit_.root / "simt" / "include");
  tree.add(file);
  std::vector<std::string> command = compile_command(level, folder / "source", file);
  command.insert(command.end(), {"-c", tree.place_of(file).string(), "-o", object.string()});
  require(run({.argv = command}), file.string() + " does not compile:");
  // Why: the compiler inserts calls of these functions, and their accesses have to be checked, too.
  std::vector<std::string> rename{"objcopy"};
  for (const std::string function : {"memcpy", "memmove", "memset"}) {
    rename.insert(rename.end(), {"--redefine-sym", function + "=__tsan_" + function});
  }
  rename.push_back(object.string());
  require(run({.argv = rename}), "objcopy (of binutils) is needed, and failed:");
  return object;
}

fs::path SimtBuild::build(const std::string& level) const {
  const fs::path folder = folder_ / level;
  const fs::path program = folder / "program";
  fs::remove_all(folder);
  const std::string runtime = (kit_.program.parent_path() / "libsimt_runtime.a").string();
  // Why all of the runtime, and first: both sides hold copies of the standard library's templates,
  // and the linker takes the first; the runtime must not call copies that are instrumented.
  std::vector<std::string> link{compiler_, "-Wl,--whole-archive", runtime,
                                "-Wl,--no-whole-archive"};
  for (std::size_t i = 0; i < files_.size(); ++i) link.push_back(compile(level, folder, i));
  link.insert(link.end(), {"-o", program.string()});
  require(run({.argv = link}), names() + " does not link:");
  return program;
}

}  // namespace kv::grader
