#include "grader/program/maintainer/check/expected_traffic.h"

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

namespace {

// .file 1 "/somewhere/textbook.cu"
std::string file_number(const std::string& ptx, const std::string& file_name) {
  static const std::regex declaration("\\s*\\.file\\s+(\\d+) \"(?:.*/)?([^/\"]+)\".*");
  for (const std::string& line : split_lines(ptx)) {
    std::smatch found;
    if (std::regex_match(line, found, declaration) && found[2] == file_name) return found[1];
  }
  return "";
}

}  // namespace

std::set<MemoryAccess> ptx_accesses(const std::string& ptx, const std::string& file_name) {
  static const std::regex location("\\s*\\.loc\\s+(\\d+) (\\d+) .*");
  static const std::regex instruction(
      "(ld|st)(?:\\.volatile)?\\.(global|shared)(?:\\.nc)?(?:\\.v([24]))?\\.[usbf](\\d+)\\s");
  const std::string file = file_number(ptx, file_name);
  std::set<MemoryAccess> accesses;
  int source_line = 0;
  bool is_in_file = false;
  for (const std::string& line : split_lines(ptx)) {
    std::smatch found;
    if (std::regex_match(line, found, location)) {
      is_in_file = found[1] == file;
      source_line = std::stoi(found[2]);
    } else if (is_in_file && std::regex_search(line, found, instruction)) {
      const int num_values = found[3].matched ? std::stoi(found[3]) : 1;
      accesses.insert({source_line, found[1] == "ld" ? "read" : "write", found[2],
                       num_values * std::stoi(found[4]) / 8});
    }
  }
  return accesses;
}

}  // namespace kv::grader
