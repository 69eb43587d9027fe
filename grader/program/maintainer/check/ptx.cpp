#include "grader/program/maintainer/check/ptx.h"

#include <regex>

#include "common/text.h"

namespace kv::grader {
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
