#include <cstdio>
#include <map>
#include <set>

#include "common/text.h"
#include "grader/program/student/simt/simt_text.h"

namespace kv::grader {
namespace {

// "31.00 (4.00) sectors": for each request, and in brackets the minimum.
std::string cost_of(const Json& line) {
  const bool is_global = line["space"] == "global";
  const double requests = line["requests"];
  char text[80];
  std::snprintf(text, sizeof text, "%6.2f (%.2f) %s",
                line[is_global ? "sectors" : "wavefronts"].get<double>() / requests,
                line[is_global ? "ideal_sectors" : "ideal_wavefronts"].get<double>() / requests,
                is_global ? "sectors" : "wavefronts");
  return text;
}

using Margins = std::map<std::size_t, std::vector<std::string>>;  // by line

std::map<std::string, Margins> margins_of(const Json& all) {
  std::map<std::string, Margins> margins;
  for (const Json& line : all["lines"])
    margins[line["file"]][line["line"]].push_back(cost_of(line));
  for (const Json& finding : all["findings"]) {
    margins[finding["file"]][finding["line"]].push_back("!! " + finding["kind"].get<std::string>());
  }
  return margins;
}

}  // namespace

std::string simt_listing(const Json& all) {
  std::string text;
  for (const auto& [file, margins] : margins_of(all)) {
    const std::vector<std::string> lines = source_lines(file);
    if (lines.empty()) continue;
    text += "\n" + file + "\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto found = margins.find(i + 1);
      std::vector<std::string> costs =
          found == margins.end() ? std::vector<std::string>{""} : found->second;
      char margin[64];
      std::snprintf(margin, sizeof margin, "%-26s %5zu  ", costs[0].c_str(), i + 1);
      text += margin + lines[i] + "\n";
      for (std::size_t k = 1; k < costs.size(); ++k) text += costs[k] + "\n";
    }
  }
  return text;
}

}  // namespace kv::grader
