#include <algorithm>

#include "grader/program/base/text.h"
#include "grader/program/simt/simt_text.h"

namespace kv::grader {
namespace {

std::string text_of_index(const Json& index) {
  return "(" + index[0].dump() + "," + index[1].dump() + "," + index[2].dump() + ")";
}

std::string text_of_place(const Json& object) {
  const std::string file = object["file"];
  return file.empty() ? "somewhere" : file + ":" + object["line"].dump();
}

std::string source_line(const Json& object) {
  const std::vector<std::string> lines = source_lines(object["file"]);
  const std::size_t number = object["line"];
  if (number == 0 || number > lines.size()) return "";
  const std::string& line = lines[number - 1];
  const std::size_t start = line.find_first_not_of(" \t");
  return start == std::string::npos ? "" : line.substr(start);
}

// Words in lines of at most 100 columns.
std::string paragraph(const std::string& words) {
  constexpr std::size_t kWidth = 100;
  const std::string margin = "  ";
  std::string text;
  std::string line = margin;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string word = words.substr(at, end - at);
    if (line.size() + word.size() > kWidth) {
      text += line.substr(0, line.size() - 1) + "\n";
      line = margin;
    }
    line += word + " ";
    at = end + 1;
  }
  return text + line.substr(0, line.size() - 1) + "\n";
}

std::string text_of_note(const Json& note) {
  const std::string file = note["file"];
  const std::string text = note["text"];
  if (file.empty()) return paragraph(text);
  return paragraph(text_of_place(note) + ": " + text) + "    " + source_line(note) + "\n";
}

std::string text_of(const Json& finding) {
  std::string text = "\n" + finding["kind"].get<std::string>() + " (" +
                     finding["check"].get<std::string>() + ") at " + text_of_place(finding) + "\n";
  if (const std::string line = source_line(finding); !line.empty()) text += "    " + line + "\n";
  std::string what = finding["what"];
  if (finding.contains("kernel")) {
    what +=
        ", in block " + text_of_index(finding["block"]) + " of " + short_kernel(finding["kernel"]);
  }
  text += paragraph(what);
  for (const Json& note : finding["notes"]) text += text_of_note(note);
  for (const Json& lanes : finding.value("lanes", Json::array())) text += text_of_note(lanes);
  text += paragraph(finding["means"]);
  if (finding["count"] > 1) text += "  (" + finding["count"].dump() + " times)\n";
  if (finding["runs"] == Json{"reverse"}) {
    text += "  (found only when the last thread runs first; in the other order it did no harm)\n";
  }
  return text;
}

}  // namespace

std::string short_kernel(const std::string& kernel) {
  const std::size_t end = kernel.rfind('(');
  const bool is_template = kernel.find('<') < end;  // then the result comes first: void
  const std::size_t begin = is_template ? kernel.find(' ') + 1 : 0;
  return kernel.substr(begin, end - begin);
}

std::vector<std::string> source_lines(const std::string& file) {
  return fs::is_regular_file(file) ? split_lines(read_file(file)) : std::vector<std::string>{};
}

std::string simt_findings(const Json& all) {
  const std::size_t n = all["findings"].size();
  if (n == 0) return "\nno findings\n";
  std::string text = n == 1 ? "\n1 finding\n" : "\n" + std::to_string(n) + " findings\n";
  for (const Json& finding : all["findings"]) text += text_of(finding);
  return text;
}

}  // namespace kv::grader
