// The kernels of the solution and of the alternatives, compiled by nvcc for two GPUs.

#include <algorithm>
#include <map>

#include "grader/program/base/process/parallel.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/student/gpu/nvcc.h"
#include "grader/program/student/gpu/nvidia_rows.h"

namespace kv::grader {
namespace {

const std::vector<std::string> kArchitectures = {"sm_80", "sm_90"};
constexpr const char* kPage = "docs/dev/nvcc.md";

class NvccCheck {
 public:
  NvccCheck(const Kit& kit, const LabSpec& lab) : kit_(kit), lab_(lab) {}

  NvccResult compile(const fs::path& file) const {
    const fs::path object = kit_.build / "nvcc" / fs::relative(file, kit_.root);
    return compile_with_nvcc({.file = file,
                              .include_folders = {kit_.root / "labs", solution_folder()},
                              .object = object.string() + ".fatbin"},
                             kArchitectures);
  }

  std::vector<fs::path> solution_files() const { return cuda_files(solution_folder()); }
  std::vector<fs::path> alternative_files() const {
    return cuda_files(kit_.case_folder(lab_) / "alternatives");
  }

 private:
  fs::path solution_folder() const { return kit_.root / "solution" / lab_.folder; }

  static std::vector<fs::path> cuda_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".cu") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
  }

  const Kit& kit_;
  const LabSpec& lab_;
};

// What is wrong with a result; empty if nothing is.
std::string complaint(const NvccResult& result) {
  std::string text = join(result.messages, "\n");
  if (result.compiles && result.kernels.empty()) text += "no kernel\n";
  for (const KernelResources& kernel : result.kernels) {
    if (kernel.spill_bytes == 0) continue;
    text += kernel.kernel + ", " + kernel.architecture + ": " + std::to_string(kernel.spill_bytes) +
            " bytes of spills\n";
  }
  return text;
}

std::vector<NvccResult> compile_all(const NvccCheck& nvcc, const std::vector<fs::path>& files) {
  std::vector<NvccResult> results(files.size());
  in_parallel(files.size(), [&](std::size_t i) { results[i] = nvcc.compile(files[i]); });
  return results;
}

// A row for each kernel, a group of columns for each architecture.
std::string table_of(const std::vector<NvccResult>& results) {
  std::map<std::string, std::string> cells;
  for (const NvccResult& result : results) {
    for (const KernelResources& kernel : result.kernels) {
      cells[kernel.kernel] += " " + std::to_string(kernel.num_registers) + " | " +
                              std::to_string(kernel.spill_bytes) + " | " +
                              std::to_string(kernel.shared_bytes) + " |";
    }
  }
  std::string table = "| kernel |";
  for (const std::string& architecture : kArchitectures) {
    table += " " + architecture + ": registers | spilled | shared |";
  }
  table += "\n|---|---|---|---|---|---|---|\n";
  for (const auto& [kernel, numbers] : cells) table += "| `" + kernel + "` |" + numbers + "\n";
  return table;
}

// Another version of nvcc chooses other registers, so the page names the one it was made with.
void check_page(const Kit& kit, const std::string& table, Checks& checks) {
  const std::string page = read_file(kit.root / kPage);
  const std::string version = nvcc_version();
  if (page.find("nvcc " + version) == std::string::npos)
    return checks.print(std::string("        the table of ") + kPage +
                        " is not compared: it was made with another nvcc than " + version + "\n");
  checks.expect(page.find(table) != std::string::npos,
                std::string(kPage) + " has the table of nvcc " + version,
                "the table is now\n" + table);
}

// These two have to fail.
void check_planted(const Kit& kit, const NvccCheck& nvcc, Checks& checks) {
  const fs::path folder = kit.build / "nvcc-planted";
  write_file(folder / "warning.cu", "__global__ void kernel() {\n  int unused;\n}\n");
  write_file(folder / "spill.cu",
             "__global__ void __launch_bounds__(1024, 2) kernel(float* a, int n) {\n"
             "  float v[64];\n"
             "  for (int i = 0; i < 64; ++i) v[i] = a[i * n];\n"
             "  __syncthreads();\n"
             "  for (int i = 0; i < 64; ++i) a[i] = v[63 - i] * v[i * 7 % 64];\n"
             "}\n");
  const std::string warning = complaint(nvcc.compile(folder / "warning.cu"));
  checks.expect(warning.find("warning.cu(2): warning") != std::string::npos,
                "a planted warning is found", warning);
  const std::string spill = complaint(nvcc.compile(folder / "spill.cu"));
  checks.expect(spill.find("kernel, sm_90: ") != std::string::npos, "a planted spill is found",
                spill);
}

void check_files(const Kit& kit,
                 const std::vector<fs::path>& files,
                 const std::vector<NvccResult>& results,
                 Checks& checks) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string wrong = complaint(results[i]);
    checks.expect(results[i].compiles && wrong.empty(),
                  fs::relative(files[i], kit.root).string() + ": no warnings, no spills", wrong);
  }
}

// The row of a tree whose warmup.cu has `line` in its first function.
std::string rows_with(const Kit& kit, LabSpec lab, const std::string& line) {
  lab.files = {"warmup.cu", "block_reduce.cuh"};
  const std::string begin = "const float* b, int n) {\n";
  const fs::path tree = kit.build / "nvcc-tree";
  for (const std::string& file : lab.files) {
    write_file(tree / lab.folder / file,
               replace_all(kit.solution_text(lab, file), begin, begin + line));
  }
  const Submission submission =
      stage_submission(kit, tree.string(), {&lab}, kit.build / "nvcc-tree-stage");
  BuildTree build(kit, "nvcc-tree-build", submission.stage, {});  // only a GPU needs it
  return nvidia_rows(kit, build, submission,
                     LabResult{.lab = &lab, .state = LabState::kInProgress});
}

void check_rows(const Kit& kit, const LabSpec& lab, Checks& checks) {
  const auto expect = [&](const std::string& line, const std::vector<std::string>& parts) {
    const std::string rows = rows_with(kit, lab, line);
    const bool has_all = std::ranges::all_of(
        parts, [&](const std::string& part) { return rows.find(part) != std::string::npos; });
    checks.expect(has_all, "./lab grade --nvcc: \"" + parts.back() + "\"", rows);
  };
  expect("", {" ok ", "1 files, no warnings"});
  expect("  int unused;\n", {" warnings ", "warmup.cu(", "warning #177-D"});
  expect("  missing();\n", {" wrong ", "identifier \"missing\"", "1 of 1 files do not compile"});
}

}  // namespace

void check_nvcc(const Kit& kit, Checks& checks) {
  if (nvcc_version().empty())
    return checks.unavailable("the kernels of the solution: no warnings, no spills", "nvcc");
  for (const LabSpec& lab : kit.manifest.labs) {
    if (!lab.is_cuda()) continue;
    const NvccCheck nvcc(kit, lab);
    const std::vector<fs::path> solution = nvcc.solution_files();
    const std::vector<NvccResult> results = compile_all(nvcc, solution);
    check_files(kit, solution, results, checks);
    check_page(kit, table_of(results), checks);
    const std::vector<fs::path> alternatives = nvcc.alternative_files();
    check_files(kit, alternatives, compile_all(nvcc, alternatives), checks);
    check_planted(kit, nvcc, checks);
    check_rows(kit, lab, checks);
  }
}

}  // namespace kv::grader
