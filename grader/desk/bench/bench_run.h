#pragma once
// `./lab bench`: one run of a bench program, the rows that it wrote (harness/bench_rows.h), and the
// table of them.

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/kit/kit.h"
#include "base/process/process.h"

namespace kv::grader {

struct BenchOptions {
  std::string lab;
  std::string tree = "starter";
  int rounds = 3;
  int cpu_seconds = 120;
  std::vector<std::string> bench_options = {};  // for the bench itself
};

// `./lab bench` of a lab in CUDA: what the kernels of a tree move, beside the solution's. Counted
// in the simulator, so a number is the same on every machine. The exit code.
int traffic_bench(const Kit& kit, const LabSpec& lab, const BenchOptions& options);

struct BenchRow {
  std::string table, name;
  auto operator<=>(const BenchRow&) const = default;
};

struct BenchCount {
  std::string what;
  double number;
};

struct BenchRun {
  std::vector<BenchRow> steps = {};             // the rows of the lab's steps, in their order
  std::map<std::string, BenchRow> limits = {};  // the row that a table's steps are compared with
  std::map<BenchRow, double> seconds = {};
  std::map<BenchRow, double> answers = {};
  std::vector<BenchRow> counted = {};  // rows with counts, in their order
  std::map<BenchRow, std::vector<BenchCount>> counts = {};
  std::map<BenchRow, std::string> failures = {};  // why a row has no time
  std::vector<std::string> notes = {};
  bool began = false;        // a first row
  bool ended_early = false;  // in a row, without its time
  Outcome outcome = {};
};

struct BenchProgram {
  fs::path program;
  std::vector<std::string> options;
  fs::path rows_file;  // for the rows, in the build folder
};

// Runs it without some of its rows. When the program ends too early, that is a failure of the row
// that it was measuring.
BenchRun run_bench(const BenchProgram& bench,
                   const std::set<BenchRow>& without,
                   double cpu_seconds);

// The two programs, one after the other.
struct BenchRound {
  BenchRun solution, yours;
};

// By row: why no time of yours is shown.
using BenchFailures = std::map<BenchRow, std::string>;

// The median over the rounds of a time, or of a ratio of two times of one round; NaN if there are
// none.
double median(std::vector<double> values);

// Prints a table for each workload. The number of rows with a time or counts of yours.
int print_bench(const std::vector<BenchRound>& rounds, const BenchFailures& failures);

}  // namespace kv::grader
