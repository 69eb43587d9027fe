#include "base/commands/command_line.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "grader/engine/gpu/nvcc.h"
#include "grader/proof/check/gpu_validate.h"

namespace kv::grader {
namespace {

void require_gpu_and_tools() {
  std::vector<std::string> missing;
  for (const std::string tool : {"nvcc", "ncu", "compute-sanitizer"}) {
    if (!is_installed(tool)) missing.push_back(tool);
  }
  if (!why_no_gpu().empty()) missing.push_back("an NVIDIA GPU");
  if (missing.empty()) return;
  throw UsageError("gpu-validate compares with real hardware, and this machine lacks " +
                   join(missing, ", ") + "; run it where the CUDA toolkit and a GPU are");
}

}  // namespace

fs::path compile_for_gpu(const Kit& kit, const fs::path& source) {
  const fs::path program = kit.build / "gpu" / source.parent_path().filename() / source.stem();
  fs::create_directories(program.parent_path());
  const Outcome outcome = run({.argv = {"nvcc", "-std=c++20", "-lineinfo", "-arch=native",
                                        source.string(), "-o", program.string()}});
  if (!outcome.ok()) throw KitBroken(source.string() + ": nvcc refuses it:\n" + outcome.output);
  return program;
}

namespace {

int gpu_validate_command(const Kit& kit) {
  require_gpu_and_tools();
  const bool counts_agree = gpu_counts_agree(kit);
  const bool findings_agree = gpu_findings_agree(kit);
  return counts_agree && findings_agree ? kExitGraded : kExitNotFull;
}

}  // namespace

void add_gpu_validate_command(CommandLine& line) {
  line.add("gpu-validate",
           "compare CUDA on the CPU with a real GPU (needs one, and NVIDIA's tools)",
           gpu_validate_command);
}

}  // namespace kv::grader
