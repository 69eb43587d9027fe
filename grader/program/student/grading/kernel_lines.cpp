#include "grader/program/student/grading/kernel_lines.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "common/text.h"

namespace kv::grader {

KernelFinding finding_of(const std::string& payload) {
  std::vector<std::string> parts = split_lines(payload);
  parts.resize(6);
  return {.file = parts[0],
          .line = std::atoi(parts[1].c_str()),
          .kind = parts[2],
          .where = parts[3],
          .what = parts[4],
          .means = parts[5]};
}

LineTraffic traffic_of(const std::string& payload) {
  const std::size_t end = std::min(payload.find('\n'), payload.size());
  LineTraffic traffic{.file = payload.substr(0, end)};
  std::istringstream numbers(payload.substr(end));
  numbers >> traffic.line >> traffic.is_shared >> traffic.is_read >> traffic.width >>
      traffic.requests >> traffic.moved >> traffic.least;
  return traffic;
}

}  // namespace kv::grader
