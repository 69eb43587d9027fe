#include "grader/program/nvcc/nvidia_rows.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "grader/program/base/parallel.h"
#include "grader/program/nvcc/nvcc.h"

namespace kv::grader {
namespace {

const std::vector<std::string> kArchitectures = {"sm_75", "sm_80", "sm_90"};
constexpr const char* kNoNvcc = "nvcc is not installed";
constexpr std::size_t kMaxLineBytes = 150;

std::string row(const std::string& name, const std::string& state, const std::string& details) {
  std::array<char, 400> text;
  std::snprintf(text.data(), text.size(), "  %-38s %-13s %.*s\n", name.c_str(), state.c_str(),
                static_cast<int>(kMaxLineBytes - 56), details.c_str());
  return text.data();
}

std::vector<NvccResult> compile_all(const Kit& kit,
                                    const Submission& submission,
                                    const LabSpec& lab,
                                    const std::vector<std::string>& architectures) {
  std::vector<std::string> files;
  std::ranges::copy_if(lab.files, std::back_inserter(files),
                       [](const std::string& file) { return file.ends_with(".cu"); });
  std::vector<NvccResult> results(files.size());
  in_parallel(files.size(), [&](std::size_t i) {
    results[i] = compile_with_nvcc({.file = submission.stage / lab.folder / files[i],
                                    // Why the stage first: it may have its own copy of a header.
                                    .include_folders = {submission.stage, kit.root / "labs"},
                                    .object = kit.build / "nvcc-grade" / (files[i] + ".fatbin")},
                                   architectures);
  });
  return results;
}

// What nvcc says, a line each. A message about a header comes from each file that includes it.
std::vector<std::string> messages_of(const std::vector<NvccResult>& results,
                                     const Submission& submission) {
  std::vector<std::string> lines;
  for (const NvccResult& result : results) {
    for (const std::string& message : result.messages) {
      const std::string line = submission.with_own_paths(message).substr(0, kMaxLineBytes);
      if (std::ranges::count(lines, line) == 0) lines.push_back(line);
    }
  }
  return lines;
}

std::string compile_row(const Kit& kit, const Submission& submission, const LabSpec& lab) {
  const std::string version = nvcc_version();
  if (version.empty()) return row("nvcc", "unavailable", kNoNvcc);
  const std::vector<std::string> architectures = possible_architectures(kArchitectures);
  const std::vector<NvccResult> results = compile_all(kit, submission, lab, architectures);
  const std::vector<std::string> messages = messages_of(results, submission);
  const auto num_refused = std::ranges::count(results, false, &NvccResult::compiles);
  const std::string name = "nvcc " + version + ": " + join(architectures, " ");
  const std::string num_files = std::to_string(results.size()) + " files";
  std::string text = row(name, "ok", num_files + ", no warnings");
  if (!messages.empty()) text = row(name, "warnings", num_files + " compile");
  if (num_refused > 0)
    text = row(name, "wrong", std::to_string(num_refused) + " of " + num_files + " do not compile");
  constexpr std::size_t kMaxShown = 5;
  for (std::size_t i = 0; i < std::min(kMaxShown, messages.size()); ++i)
    text += "    " + messages[i] + "\n";
  if (messages.size() > kMaxShown)
    text += "    and " + std::to_string(messages.size() - kMaxShown) + " more\n";
  return text;
}

std::string gpu_rows() {
  const std::string missing = why_no_gpu();
  std::string text;
  for (const std::string name : {"values on the GPU", "compute-sanitizer", "bandwidth on the GPU"})
    text += row(name, "unavailable", missing);
  return text;
}

}  // namespace

std::string nvidia_rows(const Kit& kit, const Submission& submission, const LabResult& result) {
  return "with NVIDIA's tools, 0 points:\n" + compile_row(kit, submission, *result.lab) +
         gpu_rows();
}

std::string nvidia_hint(const LabSpec& lab) {
  if (nvcc_version().empty()) return std::string("nvcc: unavailable, ") + kNoNvcc + " (0 points)";
  return "nvcc: not asked for (./lab grade " + lab.id + " --nvcc, 0 points)";
}

}  // namespace kv::grader
