#include <algorithm>
#include <cstdio>
#include <map>

#include "simt/cli/simt.h"

namespace kv::grader {
namespace {

template <typename... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char text[200];
  std::snprintf(text, sizeof text, pattern, arguments...);
  return text;
}

std::string text_of_bytes(double bytes) {
  if (bytes < 10e3) return format("%.0f bytes", bytes);
  if (bytes < 10e6) return format("%.1f kB", bytes / 1e3);
  return format("%.1f MB", bytes / 1e6);
}

// The cost of one request and the minimum.
std::string row(const Json& line) {
  const bool is_global = line["space"] == "global";
  const double requests = line["requests"];
  const double cost = line[is_global ? "sectors" : "wavefronts"];
  const double ideal = line[is_global ? "ideal_sectors" : "ideal_wavefronts"];
  std::string text =
      format("  %5d  %-6s %-6s %2d B %8.0f requests %5.1f lanes %6.2f %-11s ideal %.2f",
             line["line"].get<int>(), line["space"].get<std::string>().c_str(),
             line["access"].get<std::string>().c_str(), line["width"].get<int>(), requests,
             line["lanes"].get<double>() / requests, cost / requests,
             is_global ? "sectors," : "wavefronts,", ideal / requests);
  if (cost > 1.1 * ideal) text += format("  %.1f x", cost / ideal);
  return text + "\n";
}

std::string text_of_kernel(const Json& kernel) {
  std::string text = "\n" + kernel["name"].get<std::string>() + "\n";
  text += "  device memory: asked for " + text_of_bytes(kernel["bytes_requested"]) + ", moved " +
          text_of_bytes(kernel["bytes_moved"]) + ", " + text_of_bytes(kernel["bytes_unique"]) +
          " of them different\n";
  if (kernel.contains("counted_blocks")) {
    text += "  counted in " + kernel["counted_blocks"].dump() + " of " + kernel["blocks"].dump() +
            " blocks, and the others by them\n";
  }
  if (kernel.contains("steps")) {
    const double active = kernel["active_lanes"].get<double>() / kernel["steps"].get<double>();
    text += format("  lanes at work: %.1f of 32 in a step\n", active);
  }
  return text;
}

// The words of the tables, each once.
std::string words_of(const Json& all) {
  const auto has = [&](const char* space) {
    return std::ranges::any_of(all["lines"],
                               [&](const Json& line) { return line["space"] == space; });
  };
  std::string text;
  if (has("global")) {
    text +=
        "\n  asked for: bytes that the threads read and write. Memory moves in sectors of 32 "
        "bytes:\n"
        "  moved counts whole sectors each time, different each of them once. Beside the sectors "
        "of\n"
        "  one request, ideal is the fewest that could hold its bytes.\n";
  }
  if (has("shared")) {
    text +=
        "\n  wavefronts: passes over the 32 banks of shared memory for one request. Lanes that "
        "want\n"
        "  different words of one bank take turns; ideal is without such turns.\n";
  }
  return text;
}

}  // namespace

std::string simt_profile(const Json& all) {
  std::string text;
  for (const Json& kernel : all["kernels"]) {
    text += text_of_kernel(kernel);
    std::string file;
    for (const Json& line : all["lines"]) {
      if (line["kernel"] != kernel["kernel"]) continue;
      if (line["file"] != file) text += "  " + line["file"].get<std::string>() + "\n";
      file = line["file"];
      text += row(line);
    }
  }
  return text + words_of(all);
}

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
