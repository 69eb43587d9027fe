#include "grader/desk/handed_in/source_text.h"

#include <algorithm>
#include <fstream>

#include "base/cpp_text/functions.h"
#include "grader/engine/submission/stubs.h"

namespace kv::grader {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;  // a source that a person wrote has fewer

bool is_empty(const std::string& text) {
  return text.find_first_not_of(" \t\r\n") == text.npos;
}

}  // namespace

std::string text_in(const fs::path& file) {
  std::error_code error;
  const bool is_text = fs::file_size(file, error) <= kMostBytes && !error && std::ifstream(file);
  return is_text ? read_file(file) : "";
}

std::string source_objection(const fs::path& file, const std::string& text) {
  if (fs::file_size(file) > kMostBytes) return "has more than 1 MB; ask for the file of the lab";
  if (is_empty(text)) return "is empty; ask for it again";
  return text.find('\0') == text.npos ? "" : "is no text in UTF-8; ask for it in UTF-8";
}

bool is_untouched(const LabSpec& lab, const std::string& target, const std::string& text) {
  if (is_empty(text)) return true;
  const std::vector<std::string> open = open_steps(text);
  const auto is_written = [&](const StepSpec& step) {
    return target == lab.folder + "/" + step.file && step.has_stub() &&
           std::ranges::count(open, step.number) == 0;
  };
  return !open.empty() && std::ranges::none_of(lab.steps, is_written);
}

bool has_step_of(const LabSpec& lab, const std::string& target, const std::string& text) {
  return std::ranges::any_of(lab.steps, [&](const StepSpec& step) {
    return target == lab.folder + "/" + step.file && find_function(text, step.name);
  });
}

}  // namespace kv::grader
