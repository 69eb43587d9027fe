#include "grader/program/simt/simt_build.h"

#include <cstdlib>
#include <regex>

#include "grader/program/base/errors.h"
#include "grader/program/kit/build_tree.h"
#include "simt/rewrite/rewrite.h"

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
  if (!outcome.ok()) throw UsageError(what + "\n" + first_error(outcome.output));
}

// The files that it includes with quotes; they may have kernels and launches, too.
std::vector<std::string> local_includes(const std::string& source) {
  static const std::regex include("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  std::vector<std::string> names;
  for (const std::string& line : split_lines(source)) {
    std::smatch found;
    if (std::regex_search(line, found, include)) names.push_back(found[1]);
  }
  return names;
}

}  // namespace

SimtBuild::SimtBuild(const Kit& kit, const fs::path& file, const std::string& compiler)
    : kit_(kit),
      file_(fs::weakly_canonical(file)),
      compiler_(compiler.empty() ? default_compiler() : compiler) {
  if (!fs::is_regular_file(file_)) throw UsageError("no file \"" + file.string() + "\"");
  if (!is_installed(compiler_)) throw UsageError("no compiler \"" + compiler_ + "\" here");
  const std::size_t digest = std::hash<std::string>()(file_.string() + compiler_);
  read(file_);
  simt::DeclaredNames names;
  for (const auto& [path, source] : sources_) simt::collect_names(source, names);
  for (const auto& [path, source] : sources_) {
    for (const simt::Refusal& each : simt::find_refusals(source, names)) add_refusal(path, each);
  }
  folder_ = kit.build / "simt" / (file_.stem().string() + "-" + std::to_string(digest % 1000000));
}

std::string SimtBuild::compiler_kind() const {
  return is_clang(compiler_) ? "clang++" : "g++";
}

// The file and those that it includes.
void SimtBuild::read(const fs::path& file) {
  if (!fs::is_regular_file(file) || sources_.contains(file)) return;
  const std::string& source = sources_[file] = read_file(file);
  for (const std::string& include : local_includes(source)) read(file.parent_path() / include);
}

void SimtBuild::add_refusal(const fs::path& file, const simt::Refusal& refusal) {
  refusals_.push_back({{"kind", refusal.kind},
                       {"check", "nvcc"},
                       {"file", file.string()},
                       {"line", refusal.line},
                       {"what", refusal.what},
                       {"means", refusal.means},
                       {"count", 1},
                       {"notes", Json::array()}});
}

// The compiler warns of each array whose length is not a constant.
void SimtBuild::add_arrays(const std::string& warnings) {
  static const std::regex warning("^(.+?):([0-9]+):[0-9]+: warning: .*\\[-Wvla.*\\]$");
  for (const std::string& line : split_lines(warnings)) {
    std::smatch found;
    if (!std::regex_match(line, found, warning)) continue;
    const auto source = sources_.find(found[1].str());
    const std::size_t number = std::stoul(found[2]);
    if (source != sources_.end() && simt::is_device_line(source->second, number)) {
      add_refusal(source->first, simt::refused_array(number));
    }
  }
}

void SimtBuild::rewrite(const fs::path& file, const fs::path& to) const {
  const std::string source = read_file(file);
  try {
    write_file(to, simt::rewrite_cuda(source, file.string()));
  } catch (const simt::MalformedCuda& error) {
    throw UsageError(error.what());
  }
  for (const std::string& include : local_includes(source)) {
    const fs::path beside = file.parent_path() / include;
    const fs::path beside_it = to.parent_path() / include;
    if (fs::is_regular_file(beside) && !fs::exists(beside_it)) rewrite(beside, beside_it);
  }
}

std::vector<std::string> SimtBuild::compile_command(const std::string& level,
                                                    const fs::path& folder) const {
  const fs::path simt = kit_.root / "simt";
  const std::string flags = is_clang(compiler_) ? "clang++.txt" : "g++.txt";
  return {compiler_,
          "@" + (simt / "flags" / "common.txt").string(),
          "@" + (simt / "flags" / flags).string(),
          "-O" + level,
          "-iquote" + file_.parent_path().string(),
          "-I" + (simt / "include").string(),
          "-I" + (kit_.root / "labs").string(),
          "-c",
          (folder / file_.filename()).string(),
          "-o",
          (folder / "program.o").string()};
}

fs::path SimtBuild::build(const std::string& level) {
  const fs::path folder = folder_ / level;
  const fs::path object = folder / "program.o";
  const fs::path program = folder / "program";
  fs::remove_all(folder);
  rewrite(file_, folder / file_.filename());
  const Outcome compiled = run({.argv = compile_command(level, folder)});
  require(compiled, file_.string() + " does not compile:");
  add_arrays(compiled.output);
  // Why: the compiler inserts calls of these functions, and their accesses have to be checked, too.
  std::vector<std::string> rename{"objcopy"};
  for (const std::string function : {"memcpy", "memmove", "memset"}) {
    rename.insert(rename.end(), {"--redefine-sym", function + "=__tsan_" + function});
  }
  rename.push_back(object.string());
  require(run({.argv = rename}), "objcopy (of binutils) is needed, and failed:");
  const std::string runtime = (kit_.program.parent_path() / "libsimt_runtime.a").string();
  // Why all of the runtime, and first: both sides hold copies of the standard library's templates,
  // and the linker takes the first; the runtime must not call copies that are instrumented.
  require(run({.argv = {compiler_, "-Wl,--whole-archive", runtime, "-Wl,--no-whole-archive",
                        object.string(), "-o", program.string()}}),
          file_.string() + " does not link:");
  return program;
}

}  // namespace kv::grader
