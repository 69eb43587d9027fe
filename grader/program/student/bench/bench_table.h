#pragma once
// The table of `./lab bench`.

#include <map>
#include <string>
#include <vector>

#include "grader/program/student/bench/bench_run.h"

namespace kv::grader {

// The two programs, one after the other.
struct BenchRound {
  BenchRun solution, yours;
};

// By row: why no time of yours is shown.
using BenchFailures = std::map<BenchRow, std::string>;

// The median over the rounds of a time, or of a ratio of two times of one round; NaN if there are
// none.
double median(std::vector<double> values);

// Prints a table for each workload. The number of rows with a time of yours.
int print_bench(const std::vector<BenchRound>& rounds, const BenchFailures& failures);

}  // namespace kv::grader
