#include "simt/compile/program_text.h"

#include <regex>

#include "common/text.h"
#include "simt/compile/missing_features.h"
#include "simt/rewrite/rewrite.h"

namespace kv::simt {
namespace {

// The name after #include, with quotes or not; empty: the line includes nothing.
std::string included_in(const std::string& line) {
  static const std::regex include("^\\s*#\\s*include\\s*[\"<]([^\">]+)[\">].*");
  std::smatch found;
  return std::regex_match(line, found, include) ? found[1].str() : "";
}

}  // namespace

void ProgramText::add(const fs::path& file) {
  static const std::regex include("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  if (!fs::is_regular_file(file) || sources_.contains(file)) return;
  const std::string& source = sources_[file] = join_launch_brackets(grader::read_file(file));
  for (const std::string& line : grader::split_lines(source)) {
    std::smatch found;
    if (std::regex_search(line, found, include)) add(file.parent_path() / found[1].str());
  }
}

void ProgramText::for_each_refusal(
    const std::function<void(const fs::path&, const Refusal&)>& call) const {
  DeclaredNames names;
  for (const auto& [file, source] : sources_) collect_names(source, names);
  for (const auto& [file, source] : sources_) {
    for (const Refusal& each : find_refusals(source, names)) call(file, each);
  }
}

void RewrittenTree::add(const fs::path& file) {
  if (!done_.insert(file).second) return;
  const std::string rewritten = rewrite_cuda(grader::read_file(file), file.string());
  std::string text;
  for (const std::string& line : grader::split_lines(rewritten)) {
    text += with_include(line, file.parent_path()) + "\n";
  }
  grader::write_file(place_of(file), text);
}

// Why #error: it counts only where no #if removes it. A toolkit may have these headers, but they
// need NVIDIA's compiler.
std::string RewrittenTree::with_include(const std::string& line, const fs::path& from) {
  const std::string name = included_in(line);
  if (name.empty()) return line;
  std::vector<fs::path> folders{from};
  folders.insert(folders.end(), include_folders_.begin(), include_folders_.end());
  for (const fs::path& folder : folders) {
    const fs::path file = (folder / name).lexically_normal();
    if (!fs::is_regular_file(file)) continue;
    add(file);
    return line;
  }
  const MissingFeature* const feature = missing_feature_of_header(name);
  if (feature == nullptr || fs::exists(cuda_headers_ / name)) return line;
  return std::string("#error simt has no ") + feature->what + " (" + name + ")";
}

}  // namespace kv::simt
