#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/text/errors.h"
#include "grader/classroom/bundles/service_files.h"
#include "grader/classroom/bundles/service_terms.h"
#include "grader/classroom/class/worker.h"

namespace kv::grader {
namespace {

using namespace services;
using classroom::GradingTerms;
using classroom::Row;
using classroom::Worker;

struct ResultsOptions {
  std::string service;     // one of kServices
  std::string submission;  // a folder, however its files are wrapped
  std::string out;         // the file to write
  ServiceTerms terms = {};
};

struct Graded {
  Row row;
  int exit_code = kExitGraded;  // 3: not the student's fault
};

Graded no_score(const std::string& sentence) {
  Graded graded{.row = {.name = "submission"}, .exit_code = kExitKitBroken};
  graded.row.problem = "No score, and this is not your fault: " + reason_in(sentence);
  return graded;
}

// What the worker found cannot be graded is a result, too: 0 points and a sentence.
Graded graded_submission(const Kit& kit,
                         const ResultsOptions& options,
                         const std::vector<const LabSpec*>& labs) {
  GradingTerms terms{.labs = ids_of(labs),
                     .seed = options.terms.seed.value_or(kit.manifest.seed),
                     .wall_seconds = static_cast<double>(options.terms.wall_seconds),
                     .kit_digest = ""};
  try {
    const Lock lock(kit.build / "service");
    Worker worker(kit, kit.build / "service", terms);
    worker.keep_preparation();
    Row row = worker.collect({.name = "submission", .place = fs::absolute(options.submission)});
    const int exit_code = worker.grade(row);
    if (exit_code == kExitKitBroken) return no_score(row.problem);
    return {.row = row};
  } catch (const std::exception&) {
    return no_score(current_failure().sentence);
  }
}

// Classroom 50 runs as a GitHub job, which names this file; elsewhere there is none.
void append_to_outputs(const std::string& text) {
  const char* path = std::getenv("GITHUB_OUTPUT");
  if (path == nullptr || *path == '\0') return;
  std::ofstream file(path, std::ios::app);
  if (!(file << text << std::flush))
    throw MachineFailed(std::string("cannot write to ") + path + ", which GITHUB_OUTPUT names");
}

void write_json_file(const fs::path& path, const Json& json) {
  write_file(path, json_text(json, 2) + "\n");
}

void write_for_gradescope(const ResultsOptions& options, const Scored& scored) {
  write_json_file(options.out, gradescope_results(scored, options.terms.extra_visibility));
  for (const std::string& flag : scored.flags)
    std::printf("for the instructor: %s\n", printable(flag).c_str());
}

void write_for_classroom50(const ResultsOptions& options, const Scored& scored) {
  write_json_file(options.out, classroom50_result(scored));
  // The runner copies it into the summary of the job.
  write_file(fs::absolute(options.out).parent_path() / "release-body.md",
             classroom50_release(scored));
  append_to_outputs(classroom50_outputs(scored));
}

// Where there is no score, Gradescope gets a result that says so. A file for Classroom 50 would
// replace an earlier score.
void write(const ResultsOptions& options, const Scored& scored, int exit_code) {
  if (options.service == "gradescope") return write_for_gradescope(options, scored);
  if (exit_code == kExitGraded) write_for_classroom50(options, scored);
}

void refuse_paths(const ResultsOptions& options) {
  if (!fs::is_directory(options.submission))
    throw UsageError("there is no folder \"" + options.submission +
                     "\"; name the folder of one submission");
  if (fs::is_directory(options.out))
    throw UsageError("\"" + options.out + "\" is a folder; name the file to write");
}

void declare_results(CommandForm& form, ResultsOptions& options) {
  declare_service(form, options.service);
  form.argument("SUBMISSION", options.submission, "the folder of one submission").required();
  form.argument("OUT", options.out, "the file to write").required();
  declare_terms(form, options.terms);
  form.footer(
      "exit codes: 0 there is a result, 2 wrong use, 3 the kit or the machine is at fault\n"
      "and there is no score");
}

// The exit code. 3: there is no score, and the student is not at fault.
int results_command(const Kit& kit, const ResultsOptions& options) {
  refuse_paths(options);
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.terms.labs);
  // Before the grading: it refuses a missing variable.
  if (options.service == "classroom50") classroom50_result({});
  const Graded graded = graded_submission(kit, options, labs);
  const Scored result = scored(labs, graded.row);
  fs::create_directories(fs::absolute(options.out).parent_path());
  write(options, result, graded.exit_code);
  std::printf("%s\n", printable(result.headline()).c_str());
  if (!result.problem.empty()) std::printf("  %s\n", printable(result.problem).c_str());
  return graded.exit_code;
}

}  // namespace

void add_results_command(CommandLine& line) {
  line.add<ResultsOptions>("results", declare_results, results_command);
}

}  // namespace kv::grader
