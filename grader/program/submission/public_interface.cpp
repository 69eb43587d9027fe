#include "grader/program/submission/public_interface.h"

#include <cctype>

namespace kv::grader {
namespace {

// Lines without comments, includes and the bodies of one-line members, which may read other
// private members.
std::vector<std::string> code_lines(const std::string& header) {
  std::vector<std::string> lines;
  for (const std::string& line : split_lines(header)) {
    std::string code = line.substr(0, line.find("//"));
    code.erase(code.find_last_not_of(' ') + 1);
    const std::size_t body = code.find(" { ");
    if (body != std::string::npos && code.ends_with('}')) code = code.substr(0, body) + ";";
    if (!code.starts_with("#include")) lines.push_back(code);
  }
  return lines;
}

std::string without_spaces(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  }
  return out;
}

}  // namespace

std::string public_part(const std::string& header) {
  std::string part;
  bool is_private = false;
  for (const std::string& line : code_lines(header)) {
    const std::string code = without_spaces(line);
    if (code == "private:") is_private = true;
    if (code == "public:" || code == "};") is_private = line.starts_with("  ") && is_private;
    if (!is_private) part += code;
  }
  return part;
}

std::optional<std::string> changed_public_interface(const Kit& kit,
                                                    const Submission& submission,
                                                    const LabSpec& lab) {
  for (const std::string& header : lab.headers) {
    const fs::path own = submission.stage / lab.folder / header;
    if (!fs::exists(own)) continue;
    if (public_part(read_file(own)) == public_part(read_file(kit.lab_folder(lab) / header)))
      continue;
    return "your copy of " + lab.folder + "/" + header +
           " changes the public part of the contract; only private members may differ";
  }
  return std::nullopt;
}

}  // namespace kv::grader
