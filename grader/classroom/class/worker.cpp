#include "grader/classroom/class/worker.h"

#include <algorithm>
#include <chrono>

#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/classroom/class/solution_copy.h"
#include "grader/desk/handed_in/handed_in.h"

namespace kv::grader::classroom {
namespace {

constexpr double kSecondsToEnd = 40;  // time for the last tests, which may sleep, and the report

// All of the clone but the build folders, which may hold other submissions.
std::vector<fs::path> readable_for(const Kit& kit) {
  std::vector<fs::path> readable = system_folders();
  for (const char* part : kBuildParts) readable.push_back(kit.root / part);
  for (const char* part : {"docs", ".git"}) readable.push_back(kit.root / part);
  readable.push_back(kit.program);
  return readable;
}

// The last line that is not empty, in which ./lab grade says why it ended.
std::string last_sentence(const std::string& output) {
  constexpr std::string_view kSpeaker = "lab: ";
  std::vector<std::string> lines = split_lines(printable(output));
  std::erase(lines, "");
  if (lines.empty()) return "./lab grade has ended and printed nothing";
  const std::string& last = lines.back();
  return last.starts_with(kSpeaker) ? last.substr(kSpeaker.size()) : last;
}

// The digest of what was handed in for each lab, by its number.
std::map<std::string, std::string> digests_of_labs(
    const Manifest& manifest,
    const std::map<std::string, std::string>& digests,
    const fs::path& list) {
  std::map<std::string, std::string> by_lab;
  for (const LabSpec& lab : manifest.labs) {
    std::map<std::string, std::string> own;
    for (const auto& [file, digest] : digests)
      if (file.starts_with(lab.folder + "/")) own[file] = digest;
    if (!own.empty()) by_lab[lab.id] = digest_over(own, list);
  }
  return by_lab;
}

// "lab 04: 12 tests not run"
std::vector<std::string> tests_not_run(const Row& row) {
  std::vector<std::string> labs;
  if (!row.has_score()) return labs;
  for (const Json& lab : row.report["labs"]) {
    const auto& tests = lab["tests"].get_ref<const Json::array_t&>();
    const auto count = std::ranges::count(
        tests, "not_run", [](const Json& test) { return test["status"].get<std::string>(); });
    if (count > 0)
      labs.push_back("lab " + lab["id"].get<std::string>() + ": " +
                     plural(static_cast<std::size_t>(count), "test") + " not run");
  }
  return labs;
}

}  // namespace

Worker::Worker(const Kit& kit, const fs::path& folder, const GradingTerms& terms)
    : kit_(kit), folder_(folder), build_(folder / "build"), terms_(terms) {
  fs::create_directories(build_ / "tmp");
}

Outcome Worker::run_grade(const std::string& tree,
                          const Origin& origin,
                          std::optional<double> wall_seconds) const {
  Command command{
      .argv = {kit_.program.string(), "grade", "--second-opinion", "--for-student", "--tree", tree,
               "--seed", std::to_string(terms_.seed), "--json", (build_ / "report.json").string(),
               "--html", (build_ / "report.html").string()},
      .environment = {{"LAB_ROOT", kit_.root.string()},
                      {"LAB_BUILD_DIR", build_.string()},
                      {"TMPDIR", (build_ / "tmp").string()},
                      // Why: a compiler's cache is a folder of somebody else.
                      {"CMAKE_C_COMPILER_LAUNCHER", ""},
                      {"CMAKE_CXX_COMPILER_LAUNCHER", ""},
                      {"CCACHE_DISABLE", "1"}},
      .access = FileAccess{.readable = readable_for(kit_), .writable = {build_}},
      .wall_seconds = wall_seconds};
  // Why less: a test that has begun, and the report, take their time.
  if (wall_seconds) {
    const double seconds = *wall_seconds - std::min(kSecondsToEnd, *wall_seconds / 2);
    command.argv.insert(command.argv.end(), {"--wall", std::to_string(static_cast<int>(seconds))});
  }
  if (origin.is_known()) command.argv.push_back("--origin=" + origin.place);
  if (!origin.commit.empty()) command.argv.push_back("--origin-commit=" + origin.commit);
  command.argv.insert(command.argv.end(), terms_.labs.begin(), terms_.labs.end());
  for (const char* file : {"report.json", "report.html"}) fs::remove(build_ / file);
  command.access->readable.push_back(folder_ / "tree");
  return run(command);
}

// A bundle has no solution to be graded, but its objects.
bool Worker::has_solution() const {
  return std::ranges::none_of(kit_.manifest.chosen(terms_.labs),
                              [&](const LabSpec* lab) { return is_closed(kit_, *lab); });
}

void Worker::prepare() {
  const Outcome outcome =
      has_solution() ? run_grade("solution", {}, std::nullopt) : Outcome{.exit_code = kExitGraded};
  if (outcome.exit_code != kExitGraded) {
    const std::string sentence = last_sentence(outcome.output);
    if (sentence.starts_with(kNoScore)) throw MachineFailed(reason_in(sentence));
    throw KitBroken("the solution cannot be graded: " + sentence);
  }
  write_file(mark(), "the solution was graded here\n");
  is_prepared_ = true;
}

// Why there is no score; empty: it can be graded.
std::string Worker::problem_of(const MappedTree& mapped) const {
  for (const std::string& id : terms_.labs)
    if (const auto why = mapped.unclear.find(id); why != mapped.unclear.end())
      return "lab " + id + " is not clear: " + why->second;
  if (!mapped.files.empty()) return "";
  std::vector<std::string> expected;
  for (const LabSpec* lab : kit_.manifest.chosen(terms_.labs))
    expected.push_back(lab->files.front());
  return "holds no file of any lab; expected are files as " + join(expected, ", ");
}

Row Worker::collect(const HandedIn& handed_in) {
  Row row{.name = handed_in.name, .origin = handed_in.origin(), .kit_digest = terms_.kit_digest};
  const fs::path fetched = folder_ / "handed-in";
  fs::remove_all(fetched);
  row.problem = fetch(handed_in, fetched);
  if (!row.problem.empty()) return row;
  const MappedTree mapped = map_files(kit_.manifest, fetched);
  row.notes = mapped.notes;
  write_tree(mapped, folder_ / "tree");
  for (const LabSpec& lab : kit_.manifest.labs) {
    const std::string note = solution_note(kit_, lab, folder_ / "tree");
    if (!note.empty()) row.notes.push_back(note);
  }
  row.problem = problem_of(mapped);
  std::vector<std::string> files;
  for (const auto& [target, path] : mapped.files) files.push_back(target);
  const std::map<std::string, std::string> digests = sha256(folder_ / "tree", files);
  row.source_digest = digest_over(digests, folder_ / "digests");
  row.lab_digests = digests_of_labs(kit_.manifest, digests, folder_ / "digests");
  return row;
}

// What the time did not suffice for; none: all was done.
std::vector<std::string> Worker::left_out(const Row& row) const {
  std::vector<std::string> parts = tests_not_run(row);
  const std::size_t num_labs = row.has_score() ? row.report["labs"].size() : 0;
  if (num_labs < kit_.manifest.chosen(terms_.labs).size())
    parts.push_back("labs without a score were not reached");
  return parts;
}

int Worker::grade(Row& row) {
  if (!row.problem.empty()) return kExitGraded;
  if (!is_prepared_) prepare();
  const auto started = std::chrono::steady_clock::now();
  const Outcome outcome = run_grade((folder_ / "tree").string(), row.origin, terms_.wall_seconds);
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  row.report = Json::parse(report_text("report.json", "null"));
  std::vector<std::string> parts = left_out(row);
  const bool is_graded = row.has_score() && outcome.exit_code == kExitGraded;
  if (outcome.timed_out || (is_graded && !parts.empty())) {
    const int seconds = static_cast<int>(terms_.wall_seconds);
    parts.insert(parts.begin(), kStopped + std::to_string(seconds) + " seconds");
    row.problem = join(parts, "; ");
  } else if (outcome.exit_code != kExitGraded) {
    row.problem = last_sentence(outcome.output);
  }
  if (!row.has_score() && row.problem.empty()) row.problem = last_sentence(outcome.output);
  row.page = report_text("report.html", "");
  return outcome.timed_out ? kExitGraded : outcome.exit_code;
}

std::string Worker::report_text(const char* file, const char* otherwise) const {
  return fs::exists(build_ / file) ? read_file(build_ / file) : otherwise;
}

}  // namespace kv::grader::classroom
