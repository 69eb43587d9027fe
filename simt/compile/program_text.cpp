#include "simt/compile/program_text.h"

#include <regex>

#include "common/text.h"
#include "simt/rewrite/launch_brackets.h"

namespace kv::simt {

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

}  // namespace kv::simt
