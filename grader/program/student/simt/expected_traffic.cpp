#include "grader/program/student/simt/expected_traffic.h"

#include <regex>

#include "common/text.h"

namespace kv::grader {

std::vector<ExpectedTraffic> expected_traffic(const std::string& source) {
  static const std::regex kernel_line("__global__ void (\\w+)\\(.*");
  static const std::regex access_line(
      ".*// (read|write) (global|shared): (\\d+) requests?, (\\d+) lanes, (\\d+) \\w+");
  std::vector<ExpectedTraffic> accesses;
  std::string kernel;
  int line_number = 0;
  for (const std::string& line : split_lines(source)) {
    ++line_number;
    std::smatch found;
    if (std::regex_match(line, found, kernel_line)) kernel = found[1];
    if (!std::regex_match(line, found, access_line)) continue;
    accesses.push_back({kernel, line_number, found[1], found[2], std::stol(found[3]),
                        std::stol(found[4]), std::stol(found[5])});
  }
  return accesses;
}

}  // namespace kv::grader
