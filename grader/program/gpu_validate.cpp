#include "grader/program/gpu_validate.h"

#include <array>
#include <cstdio>
#include <regex>

#include "grader/program/check/textbook.h"
#include "grader/program/errors.h"
#include "grader/program/process.h"

namespace kv::grader {
namespace {

void require_gpu_and_tools() {
  std::vector<std::string> missing;
  for (const std::string tool : {"nvcc", "ncu", "compute-sanitizer"}) {
    if (!is_installed(tool)) missing.push_back(tool);
  }
  const bool has_gpu =
      is_installed("nvidia-smi") && run({.argv = {"nvidia-smi", "-L"}}).output.starts_with("GPU ");
  if (!has_gpu) missing.push_back("an NVIDIA GPU");
  if (missing.empty()) return;
  throw UsageError("gpu-validate compares with real hardware, and this machine lacks " +
                   join(missing, ", ") + "; run it where the CUDA toolkit and a GPU are");
}

fs::path compile(const Kit& kit, const fs::path& source) {
  const fs::path program = kit.build / "gpu" / source.parent_path().filename() / source.stem();
  fs::create_directories(program.parent_path());
  const Outcome outcome = run({.argv = {"nvcc", "-std=c++20", "-lineinfo", "-arch=native",
                                        source.string(), "-o", program.string()}});
  if (!outcome.ok()) throw KitBroken(source.string() + ": nvcc refuses it:\n" + outcome.output);
  return program;
}

// The name under which Nsight Compute counts what we count.
std::string metric_of(const TextbookAccess& access, bool is_request) {
  const std::string direction = access.operation == "read" ? "ld" : "st";
  const bool is_shared = access.space == "shared";
  if (is_request || !is_shared) {
    return std::string("l1tex__t_") + (is_request ? "requests" : "sectors") +
           "_pipe_lsu_mem_global_op_" + direction + ".sum";
  }
  return "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + direction + ".sum";
}

using Counts = std::map<std::string, std::map<std::string, long>>;  // kernel -> metric -> value

Counts expected_counts(const std::vector<TextbookAccess>& accesses) {
  Counts counts;
  for (const TextbookAccess& access : accesses) {
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

bool compare_counts(const Kit& kit) {
  const fs::path source = kit.root / "grader" / "simt" / "tests" / "textbook.cu";
  Counts measured = measured_counts(compile(kit, source));
  bool agree = true;
  for (const auto& [kernel, metrics] : expected_counts(textbook_accesses(read_file(source)))) {
    for (const auto& [metric, ours] : metrics) {
      const long theirs = measured[kernel][metric];
      agree = agree && ours == theirs;
      std::printf("%-6s %s %s: here %ld, GPU %ld\n", ours == theirs ? "ok" : "DIFFER",
                  kernel.c_str(), metric.c_str(), ours, theirs);
    }
  }
  return agree;
}

bool compare_findings(const Kit& kit) {
  constexpr std::array kTools = {"memcheck", "racecheck", "initcheck", "synccheck"};
  const fs::path examples = kit.root / "docs" / "examples";
  bool agree = true;
  for (const auto& entry : fs::recursive_directory_iterator(examples)) {
    if (entry.path().extension() != ".cu") continue;
    const fs::path program = compile(kit, entry.path());
    std::string found_by;
    for (const std::string tool : kTools) {
      const Outcome outcome = run({.argv = {"compute-sanitizer", "--tool", tool, "--error-exitcode",
                                            "99", program.string()}});
      if (outcome.exit_code == 99) found_by += " " + tool;
    }
    const bool is_broken = entry.path().parent_path().filename() == "broken";
    agree = agree && found_by.empty() != is_broken;
    std::printf("%-6s %s:%s\n", found_by.empty() != is_broken ? "ok" : "DIFFER",
                fs::relative(entry.path(), kit.root).c_str(),
                found_by.empty() ? " clean" : found_by.c_str());
  }
  return agree;
}

}  // namespace

int gpu_validate_command(const Kit& kit) {
  require_gpu_and_tools();
  const bool counts_agree = compare_counts(kit);
  const bool findings_agree = compare_findings(kit);
  return counts_agree && findings_agree ? kExitGraded : kExitNotFull;
}

}  // namespace kv::grader
