#include "base/builds/build_tree.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <string>
#include <thread>

#include "base/builds/build_failure.h"
#include "base/text/errors.h"
#include "base/text/machine.h"
#include "base/text/text.h"

namespace kv::grader {
namespace {

// "01" of "lab01_tests"; empty if the target is no part of a lab.
std::string lab_of(const std::string& target) {
  constexpr std::size_t kIdBegin = 3, kIdEnd = 5;
  const bool is_of_lab = target.starts_with("lab") && target.find('_') == kIdEnd;
  return is_of_lab ? target.substr(kIdBegin, kIdEnd - kIdBegin) : "";
}

std::string name_of(const std::string& target) {
  const std::string lab = lab_of(target);
  return lab.empty() ? target : "lab " + lab;
}

// "3 of 14" or "21%"; empty if the line is of another kind.
std::string counter_in(const std::string& line) {
  const std::size_t end = line.find(']');
  if (line.empty() || line[0] != '[' || end == std::string::npos) return "";
  const std::string counter = line.substr(1, end - 1);
  return replace_all(counter.substr(counter.find_first_not_of(' ')), "/", " of ");
}

// Says how far a build is: at a terminal in one line, which is overwritten and goes away at the
// end; elsewhere in a line every ten seconds, if LAB_PROGRESS asks for them. ./lab sets it for
// commands that a person waits for.
class BuildProgress {
 public:
  explicit BuildProgress(const std::string& target) : what_("building " + name_of(target)) {
    if (std::getenv("LAB_PROGRESS") != nullptr) form_ = Form::kLines;
    if (::isatty(STDERR_FILENO) != 0) form_ = Form::kOverwritten;
  }
  ~BuildProgress() {
    if (is_shown_ && form_ == Form::kOverwritten) std::cerr << "\r\033[K";
  }
  BuildProgress(const BuildProgress&) = delete;
  BuildProgress& operator=(const BuildProgress&) = delete;

  // A line of the build's output: "[3/14] Building ..." (Ninja) or "[ 21%] Building ..." (Make).
  void read(const std::string& line) {
    constexpr std::chrono::seconds kBetweenLines{10};
    const std::string counter = counter_in(line);
    const auto now = std::chrono::steady_clock::now();
    if (counter.empty() || form_ == Form::kNone) return;
    if (form_ == Form::kOverwritten) {
      std::cerr << "\r\033[K" << what_ << ": " << counter << std::flush;
    } else if (now - last_ >= kBetweenLines) {
      std::cerr << "lab: " << what_ << ": " << counter << std::endl;
      last_ = now;
    }
    is_shown_ = true;
  }

 private:
  enum class Form { kNone, kOverwritten, kLines };

  Form form_ = Form::kNone;
  std::string what_;  // "building lab 01"
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  bool is_shown_ = false;
};

// What is read from the output is searched for in English.
const std::map<std::string, std::string> kInEnglish = {{"LC_ALL", "C.UTF-8"}, {"LANGUAGE", ""}};

// For each process of a build. Why: a template without an end takes all memory of a machine.
const std::vector<std::string> kCompilerLimits = {"prlimit", "--as=3221225472", "--cpu=300"};

// A number for the instructions that this processor has; empty where the system does not list them.
// Why: students of a class move between machines with their folder, and a program that is compiled
// for one of them can end the other's with a signal.
std::string instructions_of_this_machine() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const bool lists_them = line.starts_with("flags") || line.starts_with("Features");
    if (lists_them) return std::to_string(std::hash<std::string>()(line));
  }
  return "";
}

constexpr const char* kStamp = "configured";  // a file that says from what

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

Command BuildTree::configuration() const {
  Command command{.argv = {"cmake", "-S", kit_.root.string(), "-B", folder_.string(),
                           "-DLAB_IMPL=" + stage_.string(), "-DCMAKE_BUILD_TYPE=" + options_.type,
                           std::string("-DLAB_TOGETHER=") + on_or_off(options_.together),
                           std::string("-DLAB_SANITIZE=") + on_or_off(options_.sanitize),
                           std::string("-DLAB_WERROR=") + text_of(options_.werror),
                           "-DFETCHCONTENT_BASE_DIR=" + (kit_.build / "fetched").string()},
                  .environment = kInEnglish};
  if (options_.native) command.argv.push_back("-DLAB_NATIVE=ON");
  if (options_.native || options_.type == "Release")
    command.argv.push_back("-DLAB_PROCESSOR=" + instructions_of_this_machine());
  const char* wanted = std::getenv("CXX");
  const std::string compiler =
      options_.compiler.empty() && wanted != nullptr ? wanted : options_.compiler;
  if (!compiler.empty())
    command.argv.push_back("-DCMAKE_CXX_COMPILER=" + join(compiler_words(compiler), ";"));
  return command;
}

void BuildTree::configure() {
  built_.remove_outdated();
  const Command command = configuration();
  const std::string decided_by = join(command.argv, "\n") + "\n" + built_.decides_configuration();
  const fs::path stamp = folder_ / kStamp;
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

std::optional<std::string> BuildTree::lack_of(const std::string& target) const {
  for (const std::string& name : {"lab" + lab_of(target), target}) {
    const fs::path note = folder_ / "lacks" / name;
    if (fs::exists(note)) return read_file(note);
  }
  return std::nullopt;
}

// Why once more: since the note was written, the library may have been installed. Why only once:
// where a download gets no answer, it takes a minute to end.
void BuildTree::refuse_lack(const std::string& target) {
  if (!lack_of(target)) return;
  if (!std::exchange(has_looked_again_, true)) {
    fs::remove(folder_ / kStamp);
    configure();
  }
  if (const auto lack = lack_of(target)) throw LibraryMissing(*lack);
}

Outcome BuildTree::build(const std::string& target,
                         const std::function<void(const std::string&)>& on_line,
                         std::optional<double> wall_seconds) {
  refuse_lack(target);
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
