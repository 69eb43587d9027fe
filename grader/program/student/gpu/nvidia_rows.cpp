#include "grader/program/student/gpu/nvidia_rows.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "grader/program/base/process/parallel.h"
#include "grader/program/student/gpu/gpu_tests.h"
#include "grader/program/student/gpu/nvcc.h"

namespace kv::grader {
namespace {

const std::vector<std::string> kArchitectures = {"sm_75", "sm_80", "sm_90"};
constexpr std::size_t kMaxLineBytes = 150;

std::string text_of(const NvidiaRow& row) {
  constexpr int kMaxDetails = 94;
  std::array<char, kMaxLineBytes + 1> text;
  std::snprintf(text.data(), text.size(), "  %-38s %-13s %.*s\n", row.name.c_str(),
                row.state.c_str(), kMaxDetails, row.details.c_str());
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
  if (version.empty()) return text_of({"nvcc", "unavailable", kNoNvcc});
  const std::vector<std::string> architectures = possible_architectures(kArchitectures);
  const std::vector<NvccResult> results = compile_all(kit, submission, lab, architectures);
  const std::vector<std::string> messages = messages_of(results, submission);
  const auto num_refused = std::ranges::count(results, false, &NvccResult::compiles);
  const std::string name = "nvcc " + version + ": " + join(architectures, " ");
  const std::string num_files = std::to_string(results.size()) + " files";
  std::string text = text_of({name, "ok", num_files + ", no warnings"});
  if (!messages.empty()) text = text_of({name, "warnings", num_files + " compile"});
  if (num_refused > 0)
    text = text_of(
        {name, "wrong", std::to_string(num_refused) + " of " + num_files + " do not compile"});
  constexpr std::size_t kMaxShown = 5;
  for (std::size_t i = 0; i < std::min(kMaxShown, messages.size()); ++i)
    text += "    " + messages[i] + "\n";
  if (messages.size() > kMaxShown)
    text += "    and " + std::to_string(messages.size() - kMaxShown) + " more\n";
  return text;
}

}  // namespace

std::string nvidia_rows(const Kit& kit,
                        BuildTree& tree,
                        const Submission& submission,
                        const LabResult& result) {
  std::string text = "with NVIDIA's tools, 0 points:\n" + compile_row(kit, submission, *result.lab);
  for (const NvidiaRow& row : gpu_rows(tree, result)) text += text_of(row);
  return text;
}

std::string nvidia_hint(const LabSpec& lab) {
  if (nvcc_version().empty()) return std::string("nvcc: unavailable, ") + kNoNvcc + " (0 points)";
  return "nvcc: not asked for (./lab grade " + lab.id + " --nvcc, 0 points)";
}

}  // namespace kv::grader
