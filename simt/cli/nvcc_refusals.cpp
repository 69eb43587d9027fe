#include "simt/cli/nvcc_refusals.h"

#include <regex>

namespace kv::grader {

NvccRefusals::NvccRefusals(const std::vector<fs::path>& files, bool has_extended_lambda) {
  for (const fs::path& file : files) text_.add(file);
  text_.for_each_refusal([&](const fs::path& file, const simt::Refusal& refusal) {
    if (refusal.kind != simt::kLambdaOfDevice || !has_extended_lambda) add(file, refusal);
  });
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
    const auto source = text_.sources().find(found[1].str());
    const std::size_t number = std::stoul(found[2]);
    if (source != text_.sources().end() && simt::is_device_line(source->second, number)) {
      add(source->first, simt::refused_array(number));
    }
  }
}

}  // namespace kv::grader
