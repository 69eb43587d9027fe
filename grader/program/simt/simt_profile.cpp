#include <cstdio>

#include "grader/program/simt/simt_text.h"
#include "grader/program/text.h"

namespace kv::grader {
namespace {

using Json = nlohmann::ordered_json;

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

// What one request costs, against what it could: sectors, or turns of shared memory.
std::string row(const Json& line) {
  const bool is_global = line["space"] == "global";
  const double requests = line["requests"];
  const double cost = line[is_global ? "sectors" : "wavefronts"];
  const double ideal = line[is_global ? "ideal_sectors" : "ideal_wavefronts"];
  return format("  %5d  %-7s%-7s%2d %9.0f %7.1f %9.2f %7.2f  %s\n", line["line"].get<int>(),
                line["space"].get<std::string>().c_str(), line["access"].get<std::string>().c_str(),
                line["width"].get<int>(), requests, line["lanes"].get<double>() / requests,
                cost / requests, ideal / requests,
                cost > 1.1 * ideal ? format("%.1f x", cost / ideal).c_str() : "");
}

std::string text_of_kernel(const Json& kernel) {
  const double moved = kernel["bytes_moved"], unique = kernel["bytes_unique"];
  std::string text = "  " + kernel["kernel"].get<std::string>() + "\n";
  text += "    asked for " + text_of_bytes(kernel["bytes_requested"]) +
          " of device memory, moved " + text_of_bytes(moved) + ", of which " +
          text_of_bytes(unique) + " are different\n";
  if (kernel.contains("steps") && kernel["steps"] > 0) {
    const double active = kernel["active_lanes"].get<double>() / kernel["steps"].get<double>();
    text += format("    %.1f of 32 lanes active in a step\n", active);
  }
  return text;
}

}  // namespace

std::string simt_profile(const Json& all) {
  if (all["kernels"].empty()) return "";
  std::string text = "\nprofile\n";
  for (const Json& kernel : all["kernels"]) text += text_of_kernel(kernel);
  std::string file;
  for (const Json& line : all["lines"]) {
    if (line["file"] != file) {
      file = line["file"];
      text += "\n  " + file + "\n" +
              "   line  space  access  B  requests   lanes sectors or     ideal\n"
              "                                           turns, each\n";
    }
    text += row(line);
  }
  return text;
}

}  // namespace kv::grader
