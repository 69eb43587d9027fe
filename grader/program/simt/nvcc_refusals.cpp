#include "grader/program/simt/nvcc_refusals.h"

#include <regex>

namespace kv::grader {

NvccRefusals::NvccRefusals(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) read(file);
  simt::DeclaredNames names;
  for (const auto& [file, source] : sources_) simt::collect_names(source, names);
  for (const auto& [file, source] : sources_) {
    for (const simt::Refusal& each : simt::find_refusals(source, names)) add(file, each);
  }
}

void NvccRefusals::read(const fs::path& file) {
  static const std::regex include("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  if (!fs::is_regular_file(file) || sources_.contains(file)) return;
  const std::string& source = sources_[file] = read_file(file);
  for (const std::string& line : split_lines(source)) {
    std::smatch found;
    if (std::regex_search(line, found, include)) read(file.parent_path() / found[1].str());
  }
}

void NvccRefusals::add(const fs::path& file, const simt::Refusal& refusal) {
  findings_.push_back({{"kind", refusal.kind},
                       {"check", "nvcc"},
                       {"file", file.string()},
                       {"line", refusal.line},
                       {"what", refusal.what},
                       {"means", refusal.means},
                       {"count", 1},
                       {"notes", Json::array()}});
}

void NvccRefusals::read_warnings(const std::string& output) {
  static const std::regex warning("^(.+?):([0-9]+):[0-9]+: warning: .*\\[-Wvla.*\\]$");
  for (const std::string& line : split_lines(output)) {
    std::smatch found;
    if (!std::regex_match(line, found, warning)) continue;
    const auto source = sources_.find(found[1].str());
    const std::size_t number = std::stoul(found[2]);
    if (source != sources_.end() && simt::is_device_line(source->second, number)) {
      add(source->first, simt::refused_array(number));
    }
  }
}

}  // namespace kv::grader
