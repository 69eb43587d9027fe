#include "grader/program/base/build/build_tree.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "common/errors.h"
#include "common/machine.h"
#include "grader/program/base/build/build_failure.h"
#include "grader/program/base/build/build_progress.h"

namespace kv::grader {
namespace {

// What is read from the output is searched for in English.
const std::map<std::string, std::string> kInEnglish = {{"LC_ALL", "C.UTF-8"}, {"LANGUAGE", ""}};

// For each process of a build. Why: a template without an end takes all memory of a machine.
const std::vector<std::string> kCompilerLimits = {"prlimit", "--as=3221225472", "--cpu=300"};

const char* on_or_off(bool value) {
  return value ? "ON" : "OFF";
}

const char* text_of(Werror werror) {
  return werror == Werror::kInTheKit ? "KIT" : on_or_off(werror == Werror::kEverywhere);
}

}  // namespace

BuildTree::BuildTree(const Kit& kit,
                     const std::string& folder,
                     fs::path stage,
                     const BuildOptions& options)
    : kit_(kit),
      folder_(kit.build / folder),
      stage_(std::move(stage)),
      options_(options),
      built_(kit.manifest, stage_, folder_, options.together) {}

void BuildTree::configure() {
  built_.remove_outdated();
  Command command{.argv = {"cmake", "-S", kit_.root.string(), "-B", folder_.string(),
                           "-DLAB_IMPL=" + stage_.string(), "-DCMAKE_BUILD_TYPE=" + options_.type,
                           std::string("-DLAB_TOGETHER=") + on_or_off(options_.together),
                           std::string("-DLAB_SANITIZE=") + on_or_off(options_.sanitize),
                           std::string("-DLAB_WERROR=") + text_of(options_.werror),
                           "-DFETCHCONTENT_BASE_DIR=" + (kit_.build / "fetched").string()},
                  .environment = kInEnglish};
  if (options_.native) command.argv.push_back("-DLAB_NATIVE=ON");
  const char* wanted = std::getenv("CXX");
  const std::string compiler =
      options_.compiler.empty() && wanted != nullptr ? wanted : options_.compiler;
  if (!compiler.empty()) command.argv.push_back("-DCMAKE_CXX_COMPILER=" + compiler);
  const std::string decided_by = join(command.argv, "\n") + "\n" + built_.decides_configuration();
  const fs::path stamp = folder_ / "configured";
  if (fs::exists(stamp) && read_file(stamp) == decided_by) return;
  // Why: CMake forgets the other options of a cache when the compiler changes, and one that was
  // interrupted leaves half a cache.
  if (!fs::exists(stamp) || !read_file(stamp).starts_with(join(command.argv, "\n") + "\n")) {
    fs::remove(folder_ / "CMakeCache.txt");
  }
  const Outcome outcome = run(command);
  if (const auto refusal = machine_refusal(outcome.output); refusal && !outcome.ok()) {
    throw MachineFailed(*refusal);
  }
  if (!outcome.ok())
    throw KitBroken("the build cannot be set up:\n" + indent(outcome.output, "  "));
  write_file(stamp, decided_by);
}

Outcome BuildTree::build(const std::string& target,
                         const std::function<void(const std::string&)>& on_line,
                         std::optional<double> wall_seconds) {
  const unsigned num_jobs = std::max(1u, std::thread::hardware_concurrency());
  BuildProgress progress(target);
  built_.begin();
  std::vector<std::string> argv = {"cmake", "--build",    folder_.string(),        "--target",
                                   target,  "--parallel", std::to_string(num_jobs)};
  if (options_.keep_going) {
    const bool is_ninja = fs::exists(folder_ / "build.ninja");
    argv.insert(argv.end(), {"--", is_ninja ? "-k0" : "-k"});
  }
  if (is_installed(kCompilerLimits.front()))
    argv.insert(argv.begin(), kCompilerLimits.begin(), kCompilerLimits.end());
  Outcome outcome = run({.argv = argv,
                         .environment = kInEnglish,
                         .wall_seconds = wall_seconds,
                         .on_line = [&](const std::string& line) {
                           progress.read(line);
                           if (on_line) on_line(line);
                         }});
  outcome.output = printable(with_staged_headers(outcome.output));
  if (outcome.timed_out) return outcome;
  refuse_machine_failure(outcome);
  built_.end();
  return outcome;
}

std::string BuildTree::with_staged_headers(std::string output) const {
  const fs::path copies = folder_ / "own-headers";
  if (!fs::exists(copies)) return output;
  for (const auto& entry : fs::directory_iterator(copies)) {
    output = replace_all(std::move(output), entry.path().string(), stage_.string());
  }
  return output;
}

}  // namespace kv::grader
