#include "grader/program/student/gpu/bandwidth.h"

#include <cstdio>

#include "grader/program/student/gpu/nvcc.h"

namespace kv::grader {
namespace {

// A process for each rung: after an error in a kernel, CUDA refuses all further calls.
Bandwidth measure(const fs::path& program, const std::string& rung) {
  constexpr std::size_t kMaxMessageBytes = 80;
  Bandwidth bandwidth{.rung = rung};
  const std::string output = run({.argv = {program.string(), rung}}).output;
  if (std::sscanf(output.c_str(), "bandwidth %lf %lf", &bandwidth.read, &bandwidth.kernel) == 2)
    return bandwidth;
  bandwidth.failure = "crash";
  if (output.starts_with("failed "))
    bandwidth.failure = printable(output.substr(0, output.find('\n')), kMaxMessageBytes);
  return bandwidth;
}

}  // namespace

Bandwidths measure_bandwidths(BuildTree& tree, const LabSpec& lab) {
  if (const std::string why = why_no_gpu_program(); !why.empty()) return {.unavailable = why};
  const std::string target = "lab" + lab.id + "_bandwidth";
  const Outcome built = tree.build(target);
  if (!built.ok()) return {.unavailable = "it does not build: " + first_error(built.output)};
  const fs::path program = tree.program(target);
  Bandwidths all;
  for (const std::string& rung : split_lines(run({.argv = {program.string()}}).output))
    all.rungs.push_back(measure(program, rung));
  return all;
}

}  // namespace kv::grader
