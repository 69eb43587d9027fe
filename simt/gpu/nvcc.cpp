#include "simt/gpu/nvcc.h"

#include <algorithm>
#include <regex>

#include "base/process/process.h"

namespace kv::grader {
namespace {

// nvcc repeats what it says for each architecture.
std::vector<std::string> read_messages(const std::vector<std::string>& lines) {
  static const std::regex message(
      "\\S.*(\\(\\d+\\)|:\\d+:\\d+): (warning|error|fatal error|catastrophic error).*|"
      "(nvcc|ptxas|cicc|cudafe\\+\\+|fatbinary) +(warning|error|fatal).*");
  std::vector<std::string> messages;
  for (const std::string& line : lines) {
    const bool is_new = std::ranges::count(messages, line) == 0;
    if (is_new && std::regex_match(line, message)) messages.push_back(line);
  }
  return messages;
}

}  // namespace

std::string nvcc_version() {
  static const std::regex version("[^]*, V([\\d.]+)[^]*");
  if (!is_installed("nvcc")) return "";
  const std::string output = run({.argv = {"nvcc", "--version"}}).output;
  std::smatch found;
  return std::regex_match(output, found, version) ? found[1].str() : "of an unknown version";
}

std::vector<std::string> possible_architectures(const std::vector<std::string>& wanted) {
  const auto known = split_lines(run({.argv = {"nvcc", "--list-gpu-code"}}).output);
  std::vector<std::string> both;
  std::ranges::copy_if(wanted, std::back_inserter(both), [&](const std::string& architecture) {
    return std::ranges::count(known, architecture) > 0;
  });
  return both;
}

std::string why_no_gpu() {
  if (!is_installed("nvidia-smi")) return "no GPU (nvidia-smi is not installed)";
  const std::string output = run({.argv = {"nvidia-smi", "-L"}}).output;
  if (output.starts_with("GPU ")) return "";
  return "no GPU (nvidia-smi: " + join(split_lines(output.substr(0, output.find('\n'))), "") + ")";
}

std::string why_no_gpu_program() {
  const std::string why = why_no_gpu();
  return why.empty() && !is_installed("nvcc") ? kNoNvcc : why;
}

NvccResult compile_with_nvcc(const NvccSource& source,
                             const std::vector<std::string>& architectures) {
  fs::create_directories(source.object.parent_path());
  Command command{.argv = {"nvcc", "-std=c++20", "-fatbin"}};
  for (const std::string& architecture : architectures) {
    command.argv.push_back("-gencode=arch=" + replace_all(architecture, "sm", "compute") +
                           ",code=" + architecture);
  }
  for (const fs::path& folder : source.include_folders)
    command.argv.insert(command.argv.end(), {"-I", folder.string()});
  command.argv.insert(command.argv.end(), {source.file.string(), "-o", source.object.string()});
  const Outcome outcome = run(command);
  const std::vector<std::string> lines = split_lines(outcome.output);
  NvccResult result{outcome.ok(), read_messages(lines)};
  if (!result.compiles && result.messages.empty()) result.messages = lines;
  return result;
}

Command with_sanitizer(const std::string& tool, Command command) {
  command.argv.insert(command.argv.begin(), {"compute-sanitizer", "--tool", tool,
                                             "--error-exitcode", std::to_string(kSanitizerFound)});
  return command;
}

}  // namespace kv::grader
