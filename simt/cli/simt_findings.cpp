#include <algorithm>

#include "base/text/text.h"
#include "simt/cli/simt.h"

namespace kv::grader {
namespace {

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
  const std::string line = source_line(note);
  return paragraph(text_of_place(note) + ": " + text) + (line.empty() ? "" : "    " + line + "\n");
}

std::string text_of_runs(const Json& runs) {
  if (runs.size() != 1) return "";
  if (runs[0] == "reverse") {
    return paragraph(
        "(simt runs the threads in two orders, from the first to the last and back. Only the "
        "second "
        "one shows this. A GPU has no fixed order, so there it may show at any time.)");
  }
  if (runs[0] == "clang++") return "  (found only in the program that clang++ compiled)\n";
  if (runs[0] == "nvcc") return "  (the program was not run)\n";
  if (runs[0] == "profile") return "  (found only in the optimized program, run in lockstep)\n";
  return "";
}

// `alike`: others of which the same is to be said.
std::string text_of(const Json& finding, const std::vector<Json>& alike) {
  std::string text = "\n" + finding["kind"].get<std::string>() + " (" +
                     finding["check"].get<std::string>() + ") at " + text_of_place(finding) + "\n";
  if (const std::string line = source_line(finding); !line.empty()) text += "    " + line + "\n";
  std::string what = finding["what"];
  if (finding.contains("kernel")) {
    what += ", in block " + text_of_index(finding["block"]) + " of " +
            finding["kernel"].get<std::string>();
  }
  text += paragraph(what);
  for (const Json& note : finding["notes"]) text += text_of_note(note);
  for (const Json& lanes : finding.value("lanes", Json::array())) text += text_of_note(lanes);
  for (const Json& other : alike) {
    text += paragraph("and at " + text_of_place(other)) + "    " + source_line(other) + "\n";
  }
  text += paragraph(finding["means"]);
  if (finding["count"] > 1) text += "  (" + finding["count"].dump() + " times)\n";
  return text + text_of_runs(finding["runs"]);
}

// Notes of one kind in one kernel say the same about several lines.
std::vector<std::vector<Json>> notes_alike(const Json& notes) {
  std::vector<std::vector<Json>> groups;
  for (const Json& note : notes) {
    const auto group = std::ranges::find_if(groups, [&](const std::vector<Json>& each) {
      return each.front()["kind"] == note["kind"] &&
             each.front().value("kernel", "") == note.value("kernel", "") &&
             each.front()["runs"] == note["runs"];
    });
    group == groups.end() ? groups.push_back({note}) : group->push_back(note);
  }
  return groups;
}

// "no findings", "1 finding", "2 findings"
std::string number_of(std::size_t n, const std::string& what) {
  return n == 0 ? "no " + what + "s" : plural(n, what);
}

}  // namespace

std::string text_of_place(const Json& object) {
  const std::string file = object["file"];
  return file.empty() ? "an unknown line" : file + ":" + object["line"].dump();
}

std::string text_of_index(const Json& index) {
  return "(" + index[0].dump() + "," + index[1].dump() + "," + index[2].dump() + ")";
}

std::vector<std::string> source_lines(const std::string& file) {
  return fs::is_regular_file(file) ? split_lines(read_file(file)) : std::vector<std::string>{};
}

std::string simt_findings(const Json& all) {
  std::string text = "\n" + number_of(all["findings"].size(), "finding") + "\n";
  for (const Json& finding : all["findings"]) text += text_of(finding, {});
  if (all["notes"].empty()) return text;
  text += "\n" + number_of(all["notes"].size(), "note") + ", no bugs\n";
  for (const std::vector<Json>& alike : notes_alike(all["notes"])) {
    text += text_of(alike.front(), {alike.begin() + 1, alike.end()});
  }
  return text;
}

std::string simt_checkers(const Json& all) {
  const Json& names = all["checked_with"];
  std::string text = "checked with " + names[0].get<std::string>();
  if (names.size() > 1) return text + " and " + names[1].get<std::string>() + "\n";
  if (names[0] == "clang++" || !all["may_return_structs"]) return text + "\n";
  return text + "; clang++, where it is installed, also sees structs that functions return\n";
}

}  // namespace kv::grader
