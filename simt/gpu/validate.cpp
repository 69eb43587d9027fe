#include "simt/gpu/validate.h"

#include "base/process/process.h"
#include "base/text/errors.h"
#include "simt/gpu/nvcc.h"

namespace kv::grader {
namespace {

void require_gpu_and_tools() {
  std::vector<std::string> missing;
  for (const std::string tool : {"nvcc", "ncu", "compute-sanitizer"}) {
    if (!is_installed(tool)) missing.push_back(tool);
  }
  if (!why_no_gpu().empty()) missing.push_back("an NVIDIA GPU");
  if (missing.empty()) return;
  throw UsageError("--gpu compares with real hardware, and this machine lacks " +
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

bool gpu_agrees(const Kit& kit) {
  require_gpu_and_tools();
  const bool counts_agree = gpu_counts_agree(kit);
  const bool findings_agree = gpu_findings_agree(kit);
  return counts_agree && findings_agree;
}

}  // namespace kv::grader
