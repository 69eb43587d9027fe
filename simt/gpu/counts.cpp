#include <cstdio>
#include <regex>

#include "base/process/process.h"
#include "base/text/errors.h"
#include "simt/gpu/validate.h"

namespace kv::grader {
namespace {

// The memory traffic of simt/tests/textbook.cu as its comments state it: the cost of each access.
struct ExpectedTraffic {
  std::string kernel;
  int line = 0;
  std::string operation;  // "read" or "write"
  std::string space;      // "global" or "shared"
  long num_requests = 0;
  long num_lanes = 0;
  long num_parts = 0;  // sectors of global, wavefronts of shared memory
};

std::vector<ExpectedTraffic> expected_traffic(const std::string& source) {
  static const std::regex kernel_line("__global__ void (\\w+)\\(.*");
  static const std::regex access_line(
      ".*// (read|write) (global|shared): (\\d+) requests?, (\\d+) lanes, (\\d+) \\w+");
  std::vector<ExpectedTraffic> accesses;
  std::string kernel;
  int line_number = 0;
  for (const std::string& line : split_lines(source)) {
    ++line_number;
    std::smatch found;
    if (std::regex_match(line, found, kernel_line)) kernel = found[1];
    if (!std::regex_match(line, found, access_line)) continue;
    accesses.push_back({kernel, line_number, found[1], found[2], std::stol(found[3]),
                        std::stol(found[4]), std::stol(found[5])});
  }
  return accesses;
}

// The metric of Nsight Compute that counts what we count.
std::string metric_of(const ExpectedTraffic& access, bool is_request) {
  const std::string direction = access.operation == "read" ? "ld" : "st";
  const bool is_shared = access.space == "shared";
  if (is_request || !is_shared) {
    return std::string("l1tex__t_") + (is_request ? "requests" : "sectors") +
           "_pipe_lsu_mem_global_op_" + direction + ".sum";
  }
  return "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + direction + ".sum";
}

using Counts = std::map<std::string, std::map<std::string, long>>;  // kernel -> metric -> value

Counts expected_counts(const std::vector<ExpectedTraffic>& accesses) {
  Counts counts;
  for (const ExpectedTraffic& access : accesses) {
    counts[access.kernel][metric_of(access, false)] += access.num_parts;
    if (access.space == "shared") continue;
    counts[access.kernel][metric_of(access, true)] += access.num_requests;
  }
  return counts;
}

// Lines of ncu's table: ..., "kernel(arguments)", ..., "metric name", "unit", "1,024".
Counts measured_counts(const fs::path& program) {
  const std::string metrics =
      "regex:l1tex__t_(requests|sectors)_pipe_lsu_mem_global_op_(ld|st).sum,"
      "regex:l1tex__data_pipe_lsu_wavefronts_mem_shared_op_(ld|st).sum";
  const Outcome outcome = run(
      {.argv = {"ncu", "--csv", "--print-units", "base", "--metrics", metrics, program.string()}});
  static const std::regex row(".*\"(\\w+)\\(.*\"(l1tex__[\\w.]+)\",\"[^\"]*\",\"([\\d,]+)\"");
  Counts counts;
  for (const std::string& line : split_lines(outcome.output)) {
    std::smatch found;
    if (!std::regex_match(line, found, row)) continue;
    counts[found[1]][found[2]] += std::stol(replace_all(found[3], ",", ""));
  }
  if (counts.empty()) throw UsageError("ncu measured nothing:\n" + outcome.output);
  return counts;
}

}  // namespace

bool gpu_counts_agree(const Kit& kit) {
  const fs::path source = kit.root / "simt" / "tests" / "textbook.cu";
  Counts measured = measured_counts(compile_for_gpu(kit, source));
  bool agree = true;
  for (const auto& [kernel, metrics] : expected_counts(expected_traffic(read_file(source)))) {
    for (const auto& [metric, ours] : metrics) {
      const long theirs = measured[kernel][metric];
      agree = agree && ours == theirs;
      std::printf("%-6s %s %s: here %ld, GPU %ld\n", ours == theirs ? "ok" : "DIFFER",
                  kernel.c_str(), metric.c_str(), ours, theirs);
    }
  }
  return agree;
}

}  // namespace kv::grader
