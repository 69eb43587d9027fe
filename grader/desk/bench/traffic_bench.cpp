#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <sstream>

#include "base/process/process.h"
#include "base/text/errors.h"
#include "grader/desk/bench/bench_run.h"
#include "grader/desk/bench/lab_program.h"
#include "grader/engine/gpu/nvidia_rows.h"

namespace kv::grader {
namespace {

// The lines that the program prints about one rung; labs/06-cuda-kernel/tests/cuda_kernel_costs.cpp
// explains them.
struct Traffic {
  double requests = 0, sectors = 0, ideal_sectors = 0;
  double wavefronts = 0, ideal_wavefronts = 0;
  double bytes_moved = 0, bytes_unique = 0;
  double steps = 0, active_lanes = 0;
  double answer = 0;
  std::string failure = "ended the program (exit?)";  // empty: counted
};

struct Rung {
  std::string name, title;
};

struct Rungs {
  std::string batch;
  std::vector<Rung> rows;
};

Rungs read_rungs(const fs::path& program) {
  Rungs rungs;
  for (const std::string& line : split_lines(run({.argv = {program.string()}}).output)) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "batch") std::getline(words >> std::ws, rungs.batch);
    if (kind != "row") continue;
    Rung& rung = rungs.rows.emplace_back();
    std::getline(words >> rung.name >> std::ws, rung.title);
  }
  return rungs;
}

// A line that the student's code printed may look like any of these.
void read_line(const std::string& line, Traffic& traffic) {
  constexpr std::size_t kMaxMessageBytes = 80;
  std::istringstream words(line);
  std::string kind, rest;
  words >> kind;
  if (kind == "failed" && std::getline(words >> std::ws, rest))
    traffic.failure = printable(rest, kMaxMessageBytes);
  if (kind == "answer" && words >> traffic.answer) traffic.failure.clear();
  if (kind != "traffic") return;
  words >> traffic.requests >> traffic.sectors >> traffic.ideal_sectors >> traffic.wavefronts >>
      traffic.ideal_wavefronts >> traffic.bytes_moved >> traffic.bytes_unique >> traffic.steps >>
      traffic.active_lanes;
}

Traffic count(const fs::path& program, const std::string& rung, double cpu_seconds) {
  const Outcome outcome =
      run({.argv = {program.string(), rung}, .limits = Limits{.cpu_seconds = cpu_seconds}});
  Traffic traffic;
  for (const std::string& line : split_lines(outcome.output)) read_line(line, traffic);
  if (outcome.signal != 0) traffic.failure = std::string("crash: ") + ::strsignal(outcome.signal);
  if (outcome.timed_out) traffic.failure = "stopped: does it end? (--timeout gives it more time)";
  return traffic;
}

void print_title(const Rungs& rungs) {
  std::printf("%s\n\n", rungs.batch.c_str());
  std::printf("  %-12s%10s%12s%12s%12s%12s%12s%10s\n", "", "requests", "sectors", "of the", "wave-",
              "kB", "of the", "lanes");
  std::printf("  %-12s%10s%12s%12s%12s%12s%12s%10s\n", "", "", "a request", "fewest", "fronts",
              "moved", "different", "of 32");
}

void print_row(const char* whose, const Traffic& traffic) {
  if (!traffic.failure.empty()) {
    std::printf("  %-12s  %s\n", whose, traffic.failure.c_str());
    return;
  }
  const auto ratio = [](double a, double b) { return b == 0 ? 1 : a / b; };
  std::printf(
      "  %-12s%10.0f%12.1f%10.1f x%10.1f x%12.0f%10.1f x%10.1f\n", whose, traffic.requests,
      ratio(traffic.sectors, traffic.requests), ratio(traffic.sectors, traffic.ideal_sectors),
      ratio(traffic.wavefronts, traffic.ideal_wavefronts), traffic.bytes_moved / 1000,
      ratio(traffic.bytes_moved, traffic.bytes_unique), ratio(traffic.active_lanes, traffic.steps));
}

// true: yours was counted.
bool compare(const Rung& rung, const Traffic& solution, Traffic yours, const std::string& lab) {
  constexpr double kTolerance = 1e-3;  // for sums in another order
  if (!solution.failure.empty())
    throw KitBroken("the bench fails with the kit's own solution: " + solution.failure);
  const bool agrees =
      std::abs(yours.answer - solution.answer) <= kTolerance * std::abs(solution.answer);
  if (yours.failure.empty() && !agrees) yours.failure = "wrong result; see ./lab grade " + lab;
  std::printf("%s\n", rung.title.c_str());
  print_row("solution", solution);
  print_row("yours", yours);
  std::fflush(stdout);
  return yours.failure.empty();
}

// How many rungs of yours were counted.
int print_table(const Rungs& rungs,
                const fs::path& solution,
                const fs::path& yours,
                const LabSpec& lab,
                double cpu_seconds) {
  print_title(rungs);
  int num_counted = 0;
  for (const Rung& rung : rungs.rows) {
    num_counted += compare(rung, count(solution, rung.name, cpu_seconds),
                           count(yours, rung.name, cpu_seconds), lab.id);
  }
  return num_counted;
}

void print_bandwidths(BuildTree& tree, const LabSpec& lab) {
  const Bandwidths all = measure_bandwidths(tree, lab);
  if (!all.unavailable.empty()) {
    std::printf("\nbandwidth on a GPU: unavailable, %s\n", all.unavailable.c_str());
    return;
  }
  std::printf(
      "\nbandwidth on a GPU: keys and values, beside a read of the same bytes in the same run\n");
  for (const Bandwidth& each : all.rungs) {
    if (each.failure.empty()) {
      std::printf("  %-8s%8.0f GB/s, read%8.0f GB/s%8.0f %%\n", each.rung.c_str(), each.kernel,
                  each.read, each.percent());
    } else {
      std::printf("  %-8s  %s\n", each.rung.c_str(), each.failure.c_str());
    }
  }
}

}  // namespace

int traffic_bench(const Kit& kit, const LabSpec& lab, const BenchOptions& options) {
  if (!options.bench_options.empty())
    throw UsageError("the bench of lab " + lab.id + " has no options after --");
  // Why the build of ./lab grade: most of it is there.
  const Submission submission = stage_for_bench(kit, {&lab}, options.tree, "stage");
  std::printf("lab %s  %s: %s beside the solution, counted in the simulator\n", lab.id.c_str(),
              lab.title.c_str(), submission.name.c_str());
  std::fflush(stdout);
  BuildTree tree(kit, "grade", submission.stage, {});
  tree.configure();
  build_student_files(kit, tree, submission, "lab" + lab.id + "_student");
  const fs::path solution = build_bench(tree, "lab" + lab.id + "_solution_costs");
  const fs::path yours = build_bench(tree, "lab" + lab.id + "_costs");
  const Rungs rungs = read_rungs(solution);
  const int num_counted = print_table(rungs, solution, yours, lab, options.cpu_seconds);
  print_bandwidths(tree, lab);
  if (num_counted > 0) {
    std::printf("how to read it: docs/bench.md\n");
    return kExitGraded;
  }
  std::printf("nothing of yours could be counted; ./lab grade %s says what to write or to fix\n",
              lab.id.c_str());
  return kExitNotFull;
}

}  // namespace kv::grader
