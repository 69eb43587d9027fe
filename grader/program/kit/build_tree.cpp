#include "grader/program/kit/build_tree.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "grader/program/base/errors.h"

namespace kv::grader {
namespace {

// Shows "[3/14] Building ..." (Ninja) and "[ 21%] Building ..." (Make) in one line that is
// overwritten.
class Progress {
 public:
  explicit Progress(std::string what) : what_(std::move(what)) {}
  ~Progress() {
    if (shown_) std::cerr << "\r\033[K";
  }

  void operator()(const std::string& line) {
    const std::size_t end = line.find(']');
    if (!is_terminal_ || line.empty() || line[0] != '[' || end == std::string::npos) return;
    std::cerr << "\r\033[K" << what_ << ' ' << line.substr(0, end + 1) << std::flush;
    shown_ = true;
  }

 private:
  std::string what_;
  bool is_terminal_ = ::isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
};

// The files of the manifest that are in the stage: CMake has to run again when they change.
std::string inventory(const fs::path& stage, const Manifest& manifest) {
  std::string list;
  for (const LabSpec& lab : manifest.labs) {
    for (const auto* names : {&lab.files, &lab.headers}) {
      for (const std::string& name : *names) {
        if (fs::exists(stage / lab.folder / name)) list += lab.folder + "/" + name + "\n";
      }
    }
  }
  return list;
}

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
    : kit_(kit), folder_(kit.build / folder), stage_(std::move(stage)), options_(options) {}

void BuildTree::configure() {
  Command command{.argv = {"cmake", "-S", kit_.root.string(), "-B", folder_.string(),
                           "-DLAB_IMPL=" + stage_.string(), "-DCMAKE_BUILD_TYPE=" + options_.type,
                           std::string("-DLAB_TOGETHER=") + on_or_off(options_.together),
                           std::string("-DLAB_SANITIZE=") + on_or_off(options_.sanitize),
                           std::string("-DLAB_WERROR=") + text_of(options_.werror),
                           "-DFETCHCONTENT_BASE_DIR=" + (kit_.build / "fetched").string()}};
  if (options_.native) command.argv.push_back("-DLAB_NATIVE=ON");
  const char* wanted = std::getenv("CXX");
  const std::string compiler =
      options_.compiler.empty() && wanted != nullptr ? wanted : options_.compiler;
  if (!compiler.empty()) command.argv.push_back("-DCMAKE_CXX_COMPILER=" + compiler);
  const std::string decided_by = join(command.argv, "\n") + "\n" + inventory(stage_, kit_.manifest);
  const fs::path stamp = folder_ / "configured";
  if (fs::exists(stamp) && read_file(stamp) == decided_by) return;
  // Why: CMake forgets the other options of a cache when the compiler changes.
  if (fs::exists(stamp) && !read_file(stamp).starts_with(join(command.argv, "\n") + "\n")) {
    fs::remove(folder_ / "CMakeCache.txt");
  }
  const Outcome outcome = run(command);
  if (!outcome.ok())
    throw KitBroken("the build cannot be set up:\n" + indent(outcome.output, "  "));
  write_file(stamp, decided_by);
}

Outcome BuildTree::build(const std::string& target,
                         const std::function<void(const std::string&)>& on_line) {
  const unsigned num_jobs = std::max(1u, std::thread::hardware_concurrency());
  Progress progress("building " + target);
  return run({.argv = {"cmake", "--build", folder_.string(), "--target", target, "--parallel",
                       std::to_string(num_jobs)},
              .on_line = [&](const std::string& line) {
                progress(line);
                if (on_line) on_line(line);
              }});
}

std::string first_error(const std::string& output) {
  constexpr std::size_t kNumLines = 6;
  const std::vector<std::string> lines = split_lines(output);
  const auto is_error = [](const std::string& line) {
    return line.find("error:") != std::string::npos ||
           line.find("multiple definition") != std::string::npos ||
           line.find("undefined reference") != std::string::npos ||
           line.find("duplicate symbol") != std::string::npos;
  };
  const auto ends_compiler_output = [](const std::string& line) {
    return line.starts_with('[') || line.starts_with("ninja:") || line.starts_with("make");
  };
  const auto found = std::ranges::find_if(lines, is_error);
  std::vector<std::string> shown;
  for (auto line = found; line != lines.end() && shown.size() < kNumLines; ++line) {
    if (!shown.empty() && (is_error(*line) || ends_compiler_output(*line))) break;
    shown.push_back(*line);
  }
  return shown.empty() ? output.substr(0, 2000) : join(shown, "\n");
}

}  // namespace kv::grader
