#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/desk/bench/bench_run.h"
#include "grader/desk/bench/lab_program.h"

namespace kv::grader {
namespace {

void refuse_without_bench(const Kit& kit, const LabSpec& lab) {
  if (!fs::is_directory(kit.lab_folder(lab) / "bench"))
    throw UsageError("lab " + lab.id + " has no bench");
}

// Runs the solution's program and the student's in turns. A row that failed is left out of the
// rounds after that, so that a crash does not cost the rows after it.
class BenchRounds {
 public:
  BenchRounds(BenchProgram solution, BenchProgram yours, const BenchOptions& options)
      : solution_(std::move(solution)), yours_(std::move(yours)), options_(options) {}

  void run() {
    for (int num_good = 0; num_good < options_.rounds && is_anything_left();) {
      if (::isatty(STDERR_FILENO) != 0) std::cerr << "\r\033[Kround " << num_good + 1 << std::flush;
      BenchRound round;
      const bool solution_first = rounds_.size() % 2 == 0;
      if (solution_first) round.solution = run_solution();
      round.yours = run_yours();
      if (!solution_first) round.solution = run_solution();
      compare_answers(round);
      num_good += round.yours.ended_early ? 0 : 1;
      rounds_.push_back(std::move(round));
    }
    if (::isatty(STDERR_FILENO) != 0) std::cerr << "\r\033[K";
  }

  const std::vector<BenchRound>& rounds() const { return rounds_; }
  const BenchFailures& failures() const { return failures_; }
  bool time_is_used_up() const { return seconds_left() < 1; }

 private:
  double seconds_left() const { return options_.cpu_seconds - seconds_used_; }

  bool is_anything_left() const {
    if (rounds_.empty()) return true;
    if (time_is_used_up() || !rounds_.back().yours.began) return false;
    return std::ranges::any_of(rounds_.front().solution.steps,
                               [this](const BenchRow& row) { return !failures_.contains(row); });
  }

  std::set<BenchRow> failed_rows() const {
    std::set<BenchRow> rows;
    for (const auto& [row, why] : failures_) rows.insert(row);
    return rows;
  }

  BenchRun run_solution() {
    constexpr double kSeconds = 1200;  // the bench options decide, and the solution ends
    BenchRun run = run_bench(solution_, failed_rows(), kSeconds);
    const std::string says = printable(run.outcome.output, 600);
    if (says.find("bad_alloc") != std::string::npos)
      throw UsageError("there is not enough memory for a bench of this size");
    if (!run.outcome.ok() && !run.began)
      throw UsageError("the bench does not accept these options: " + says);
    if (!run.outcome.ok() || !run.failures.empty())
      throw KitBroken("the bench fails with the kit's own solution\n" + says);
    if (run.steps.empty())
      throw UsageError("with these options the bench has no row of the lab's steps");
    return run;
  }

  // Why a part of the time: a row that does not end must leave some for the others.
  BenchRun run_yours() {
    const double most = std::max(1.0, std::ceil(options_.cpu_seconds / 3.0));
    BenchRun run = run_bench(yours_, failed_rows(), std::min(most, seconds_left()));
    seconds_used_ += run.outcome.timed_out ? most : run.outcome.seconds;
    failures_.insert(run.failures.begin(), run.failures.end());
    return run;
  }

  void compare_answers(const BenchRound& round) {
    for (const auto& [row, right] : round.solution.answers) {
      const auto yours = round.yours.answers.find(row);
      if (yours == round.yours.answers.end()) continue;
      constexpr double kTolerance = 1e-3;  // for sums of floats in another order
      const bool agrees = std::abs(yours->second - right) <= kTolerance * std::abs(right);
      if (!agrees) failures_.insert({row, "wrong result; see ./lab grade " + options_.lab});
    }
  }

  BenchProgram solution_, yours_;
  const BenchOptions& options_;
  std::vector<BenchRound> rounds_;
  BenchFailures failures_;
  double seconds_used_ = 0;
};

int report(const BenchRounds& bench, const BenchOptions& options) {
  const int num_measured = print_bench(bench.rounds(), bench.failures());
  std::printf("\n");
  for (const std::string& note : bench.rounds().front().solution.notes)
    std::printf("%s\n", note.c_str());
  if (bench.time_is_used_up()) {
    std::printf("stopped: your rows have used %d s of processor time; --timeout gives them more\n",
                options.cpu_seconds);
  }
  if (num_measured > 0) {
    std::printf(
        "medians of your rows and the solution's in turns, rounds: %zu; "
        "how to read it: docs/bench.md\n",
        bench.rounds().size());
    return kExitGraded;
  }
  if (!bench.rounds().back().yours.began && bench.failures().empty())
    std::printf("your program ended before its first row (code that runs before main?)\n");
  std::printf("nothing of yours could be measured; ./lab grade %s says what to write or to fix\n",
              options.lab.c_str());
  return kExitNotFull;
}

void declare_bench(CommandForm& form, BenchOptions& options) {
  form.argument("LAB", options.lab, "one lab: 5, 05 or 05-paged-attention").required();
  declare_tree(form, options.tree);
  form.option("--rounds", options.rounds,
              "how often your rows and the solution's take turns, by default 3")
      .between(1, 99);
  form.option("--timeout", options.cpu_seconds,
              "CPU seconds that your rows may take in all rounds together, by default 120")
      .between(3, 36000);
  form.argument("OPTIONS", options.bench_options, "for the bench itself, after --");
  form.footer(
      "Your code, the solution and a limit of the machine are measured in turns, compiled with\n"
      "-O3 -march=native. A row of yours that is not written or fails says so; the others run.\n"
      "Without OPTIONS a run takes about a minute and 400 MB. OPTIONS of\n"
      "  lab 05            -- --batch 1 8 32 --length 1024 16384 --threads 1 2   (up to 5 GB)\n"
      "  labs 01 to 04     -- --benchmark_filter=.   a million blocks too (minutes, 4 GB)\n"
      "Of lab 06 nothing is timed: the simulator counts what your kernels move. Lab 07 is counted\n"
      "and timed.\n"
      "How to read the table: docs/bench.md\n"
      "exit codes: 0 something of yours was measured, 1 nothing was, 2 wrong use, a missing tool,\n"
      "or your files do not compile, 3 the kit itself is broken");
}

int bench_command(const Kit& kit, const BenchOptions& asked) {
  const LabSpec& lab = kit.manifest.lab(asked.lab);
  BenchOptions options = asked;
  options.lab = lab.id;
  const Lock lock(kit.build);
  refuse_closed(kit, lab, "./lab bench");
  if (lab.is_cuda()) return traffic_bench(kit, lab, options);
  refuse_without_bench(kit, lab);
  const Submission submission = stage_for_bench(kit, {&lab}, options.tree);
  std::printf("lab %s  %s: %s beside the solution\n", lab.id.c_str(), lab.title.c_str(),
              submission.name.c_str());
  std::fflush(stdout);
  BuildTree tree = bench_tree(kit, submission);
  build_student_files(kit, tree, submission, "lab" + lab.id + "_student");
  const std::string name = "lab" + lab.id;
  const auto program = [&](const std::string& target) {
    return BenchProgram{build_bench(tree, target), options.bench_options, tree.folder() / "rows"};
  };
  BenchRounds bench(program(name + "_bench"), program(name + "_student_bench"), options);
  bench.run();
  return report(bench, options);
}

}  // namespace

void add_bench_command(CommandLine& line) {
  line.add<BenchOptions>("bench", declare_bench, bench_command);
}

}  // namespace kv::grader
