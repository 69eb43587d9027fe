#include "grader/engine/grading/grade_lab.h"

#include <algorithm>
#include <mutex>
#include <tuple>

#include "base/builds/build_failure.h"
#include "base/builds/diagnostics.h"
#include "base/process/descendants.h"
#include "base/process/parallel.h"
#include "base/text/errors.h"
#include "grader/engine/grading/crash.h"
#include "grader/engine/grading/warning_log.h"
#include "grader/engine/submission/flags.h"
#include "grader/engine/submission/public_interface.h"

namespace kv::grader {
namespace {

LabResult without_tests(const LabSpec& lab, LabState state, std::string message) {
  LabResult result{.lab = &lab, .state = state, .message = message};
  const Status status =
      state == LabState::kDoesNotCompile ? Status::kCompileError : Status::kNoStart;
  if (state != LabState::kLacksLibrary) message = state_name(state);
  for (const TestSpec& test : lab.tests)
    result.tests.push_back({.spec = &test, .verdict = {.status = status, .headline = message}});
  return result;
}

// The missing files, each with `path` before it.
std::string missing_files(const Submission& submission,
                          const SubmittedLab& submitted,
                          const std::string& path) {
  std::vector<std::string> files;
  for (const std::string& file : submitted.missing_files) {
    std::error_code error;
    std::ignore = fs::status(submission.tree / submitted.lab->folder / file, error);
    const bool is_loop = error == std::errc::too_many_symbolic_link_levels;
    files.push_back(path + file + (is_loop ? " (a loop of symbolic links)" : ""));
  }
  return join(files, ", ");
}

std::string not_submitted_message(const Submission& submission, const SubmittedLab& submitted) {
  const std::string path = submission.path_of(*submitted.lab, "");
  std::string message = "missing: " + missing_files(submission, submitted, path);
  if (submission.name == "starter") {
    message += "\nto get the stub back: git checkout -- " + path + submitted.missing_files.front();
  }
  return message;
}

LabState state_of(const LabResult& result) {
  if (result.points(true) == result.lab->max_points(true)) return LabState::kDone;
  const bool untouched = std::ranges::all_of(result.tests, [](const TestResult& test) {
    return test.verdict.status == Status::kNotStarted;
  });
  return untouched ? LabState::kNotStarted : LabState::kInProgress;
}

void build_reference(BuildTree& tree, const LabSpec& lab) {
  const Outcome reference = tree.build("lab" + lab.id + "_reference");
  if (reference.ok()) return;
  throw KitBroken("lab " + lab.id + " does not build with the kit's own solution:\n" +
                  indent(first_error(reference.output), "  "));
}

// Why the solution is built: where that is not possible either, it throws, for the machine is at
// fault.
Outcome build_submitted(BuildTree& tree, const LabSpec& lab, const std::string& target) {
  try {
    return tree.build(target);
  } catch (const CompilerExhausted&) {
    build_reference(tree, lab);
    return {.output =
                "error: the compiler needs more than 3 GB of memory or 5 minutes, as for a "
                "template or a constexpr function without an end"};
  }
}

// Builds the lab; the message of the first error if it does not build. Throws KitBroken when the
// solution does not build either.
std::optional<std::string> build_error(BuildTree& tree,
                                       const fs::path& stage,
                                       const LabSpec& lab,
                                       const WarningLog& warnings) {
  const std::string name = "lab" + lab.id;
  warnings.prepare();
  for (const char* target : {"_student", "_tests"}) {
    const Outcome built = build_submitted(tree, lab, name + target);
    warnings.take(built.output);
    if (built.ok()) continue;
    // An error in another place can be the student's, as in a template of the library; then the
    // same place is right in the solution's program.
    if (!has_error_in(built.output, stage)) build_reference(tree, lab);
    return first_error(built.output);
  }
  return std::nullopt;
}

// The result of a lab that has no program to test; none: it is built.
std::optional<LabResult> result_without_program(const Kit& kit,
                                                BuildTree& tree,
                                                const Submission& submission,
                                                const SubmittedLab& submitted,
                                                const WarningLog& warnings) {
  const LabSpec& lab = *submitted.lab;
  if (!submitted.is_submitted) {
    return without_tests(lab, LabState::kNotSubmitted,
                         not_submitted_message(submission, submitted));
  }
  try {
    std::optional<std::string> error = utf16_error(submission, lab);
    if (!error) error = changed_public_interface(kit, submission, lab);
    if (!error) error = build_error(tree, submission.stage, lab, warnings);
    if (!error) return std::nullopt;
    return without_tests(lab, LabState::kDoesNotCompile, submission.with_own_paths(*error));
  } catch (const LibraryMissing& lack) {
    return without_tests(lab, LabState::kLacksLibrary, lack.what());
  }
}

void flag_forgeries(LabResult& result) {
  std::vector<std::string> tests;
  for (const TestResult& test : result.tests)
    if (test.verdict.num_forged > 0) tests.push_back(test.spec->name);
  if (tests.empty()) return;
  const std::string others =
      tests.size() == 1 ? "" : " and in " + plural(tests.size() - 1, "more test");
  result.flags.push_back("wrote to the grader's private pipe in " + tests.front() + others);
}

// Why 20: the solution is slow on a slow machine, too, and no test measures speed.
constexpr double kSolutionTimes = 20;

TestResult run_with_fair_limit(const Kit& kit,
                               BuildTree& tree,
                               const LabSpec& lab,
                               const TestSpec& test,
                               const RunOptions& options) {
  const std::string name = "lab" + lab.id;
  const double limit = options.cpu_seconds.value_or(test.cpu_seconds);
  TestResult result = run_test(kit, lab, tree.program(name + "_tests"), test, limit, options);
  const Verdict& verdict = result.verdict;
  if (verdict.status != Status::kTimeout || verdict.is_endless || options.cpu_seconds) {
    return result;
  }
  static std::mutex reference_build;
  const std::lock_guard guard(reference_build);
  build_reference(tree, lab);
  const double solution_seconds =
      run_test(kit, lab, tree.program(name + "_reference"), test, kSolutionTimes * limit, options)
          .seconds;
  if (kSolutionTimes * solution_seconds <= limit) return result;
  return run_test(kit, lab, tree.program(name + "_tests"), test, kSolutionTimes * solution_seconds,
                  options);
}

std::vector<TestResult> chosen(const std::vector<TestResult>& results,
                               const std::vector<std::size_t>& indices) {
  std::vector<TestResult> some;
  for (const std::size_t i : indices) some.push_back(results[i]);
  return some;
}

// Throws MachineFailed when the solution does not start either.
void refuse_machine_without_start(const Kit& kit,
                                  BuildTree& tree,
                                  const LabSpec& lab,
                                  const std::vector<TestResult>& results,
                                  const RunOptions& options) {
  const auto did_not_start = [](const TestResult& test) {
    return test.verdict.status == Status::kNoStart;
  };
  const auto found = std::ranges::find_if(results, did_not_start);
  if (found == results.end()) return;
  build_reference(tree, lab);
  const TestResult solution = run_test(kit, lab, tree.program("lab" + lab.id + "_reference"),
                                       *found->spec, found->spec->cpu_seconds, options);
  if (!did_not_start(solution)) return;
  throw MachineFailed(
      "no test program starts here, not even the one of the solution; the limits of "
      "this shell (ulimit -a) are a likely reason\n" +
      indent(solution.printed, "  "));
}

}  // namespace

std::vector<TestResult> run_tests(const Kit& kit,
                                  BuildTree& tree,
                                  const LabSpec& lab,
                                  const RunOptions& options) {
  std::vector<TestResult> results(lab.tests.size());
  const auto run_all_of = [&](const std::vector<std::size_t>& tests) {
    in_parallel(tests.size(), [&](std::size_t i) {
      const TestSpec& test = lab.tests[tests[i]];
      results[tests[i]] = options.is_over() ? TestResult{.spec = &test, .verdict = not_run()}
                                            : run_with_fair_limit(kit, tree, lab, test, options);
    });
  };
  std::vector<std::size_t> first, others;
  for (std::size_t i = 0; i < lab.tests.size(); ++i)
    (lab.tests[i].step == options.first_step ? first : others).push_back(i);
  run_all_of(first);
  if (options.on_first_step) {
    refuse_machine_without_start(kit, tree, lab, chosen(results, first), options);
    options.on_first_step(chosen(results, first));
  }
  run_all_of(others);
  refuse_machine_without_start(kit, tree, lab, results, options);
  return results;
}

TestResult run_test(const Kit& kit,
                    const LabSpec& lab,
                    const fs::path& program,
                    const TestSpec& test,
                    double cpu_seconds,
                    const RunOptions& options) {
  Command command = test_command(kit, lab, program, test.name, cpu_seconds, options);
  command.has_channel = true;
  const Outcome outcome = run(command);
  constexpr std::size_t kMaxPrintedBytes = 2000;
  return {.spec = &test,
          .verdict = judge(outcome, test.name, options.sanitized),
          .seconds = outcome.seconds,
          .printed = printable(without_abort_messages(outcome.output), kMaxPrintedBytes)};
}

Command isolated_command(const Kit& kit,
                         const LabSpec& lab,
                         const std::vector<std::string>& argv,
                         double cpu_seconds,
                         const RunOptions& options) {
  Limits limits{.cpu_seconds = cpu_seconds};
  // Why none: AddressSanitizer and the simulator reserve far more address space than they use.
  if (!options.sanitized && !lab.is_cuda()) limits.memory_bytes = kit.manifest.memory_bytes;
  Command command{
      .argv = argv,
      .environment = {{"KV_SEED", std::to_string(options.seed)},
                      {"KV_DEFAULT_SEED", std::to_string(kit.manifest.seed)},
                      // Why: each arena takes 64 MB of the limited address space.
                      {"MALLOC_ARENA_MAX", "2"},
                      {"ASAN_OPTIONS", std::string("exitcode=77:hard_rss_limit_mb=1024") +
                                           (can_find_leaks() ? "" : ":detect_leaks=0")},
                      {"UBSAN_OPTIONS", "exitcode=77:print_stacktrace=1"}},
      .limits = limits,
      .access = FileAccess{.readable = system_folders(), .writable = {}},
      .calls = options.sanitized ? KernelCalls::kOfSanitizedTests : KernelCalls::kOfTests};
  command.access->readable.push_back(kit.build);
  command.environment.insert(options.environment.begin(), options.environment.end());
  return command;
}

Command test_command(const Kit& kit,
                     const LabSpec& lab,
                     const fs::path& program,
                     const std::string& filter,
                     double cpu_seconds,
                     const RunOptions& options) {
  return isolated_command(kit, lab, {program.string(), "--gtest_filter=" + filter}, cpu_seconds,
                          options);
}

LabResult not_started_lab(const SubmittedLab& submitted) {
  const LabSpec& lab = *submitted.lab;
  LabResult result{.lab = &lab, .state = LabState::kNotStarted, .open_steps = submitted.open_steps};
  for (const TestSpec& test : lab.tests) {
    const StepSpec& step = lab.with_stub(lab.step(test.step));
    result.tests.push_back({.spec = &test, .verdict = not_started(step.heading())});
  }
  return result;
}

LabResult grade_lab(const Kit& kit,
                    BuildTree& tree,
                    const Submission& submission,
                    const SubmittedLab& submitted,
                    const RunOptions& options) {
  const LabSpec& lab = *submitted.lab;
  const WarningLog warnings(tree.folder(), submission.stage, lab);
  if (auto result = result_without_program(kit, tree, submission, submitted, warnings))
    return *result;
  LabResult result{.lab = &lab, .state = LabState::kInProgress};
  result.open_steps = submitted.open_steps;
  result.tests = run_tests(kit, tree, lab, options);
  result.state = state_of(result);
  for (const std::string& warning : warnings.read())
    result.warnings.push_back(submission.with_own_paths(warning));
  result.flags =
      flags_of(submission, lab, tree.program("CMakeFiles/lab" + lab.id + "_student.dir"));
  flag_forgeries(result);
  if (!submitted.missing_files.empty()) {
    result.notes.push_back("not in the tree, and so graded as untouched: " +
                           missing_files(submission, submitted, ""));
  }
  return result;
}

}  // namespace kv::grader
