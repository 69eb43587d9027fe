// The findings in the words and the layout of NVIDIA's compute-sanitizer, so that its reports are
// nothing new later. It gives addresses and offsets in the machine code; here are names.

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/text/text.h"
#include "simt/cli/simt.h"

namespace kv::grader {
namespace {

const std::string kBar = "=========";

std::string line(const std::string& text) {
  return kBar + " " + text + "\n";
}

std::string more(const std::string& text) {
  return line("    " + text);
}

std::string kernel_and_place(const Json& finding) {
  return finding["kernel"].get<std::string>() + " in " + text_of_place(finding);
}

// "__shared__ read of size 4 bytes"
std::string access_of(const Json& finding) {
  const std::string space = "__" + finding["space"].get<std::string>() + "__";
  return space + " " + finding["access"].get<std::string>() + " of size " +
         finding["bytes"].dump() + " bytes";
}

// What follows "thread (3,0,0) reads 4 bytes ".
std::string where(const Json& finding) {
  const std::string what = finding["what"];
  const std::string bytes = finding["bytes"].dump() + (finding["bytes"] == 1 ? " byte" : " bytes");
  const std::size_t begin = what.find(bytes);
  return begin == what.npos ? what : what.substr(std::min(what.size(), begin + bytes.size() + 1));
}

// The line of compute-sanitizer that says what is wrong with an access, before `where`.
const std::map<std::string, std::string> kWrongAccess = {
    {"out-of-bounds", "Access is out of bounds"},
    {"misaligned", "Access is misaligned"},
    {"null-pointer", "Access is out of bounds"},
    {"host-pointer", "Access is to memory of the host"},
    {"use-after-free", "Access is to memory that has been freed"},
    {"local-memory-of-another-thread", "Access is out of bounds"},
    {"write-to-constant", "Access is out of bounds"},
};

// The sentences of synccheck: it has three.
const std::map<std::string, std::string> kBarrierErrors = {
    {"divergent-barrier", "Divergent thread(s) in block"},
    {"barrier-not-reached", "Divergent thread(s) in block"},
    {"missing-lanes", "Divergent thread(s) in warp"},
    {"different-calls", "Divergent thread(s) in warp"},
    {"matrix-call", "Divergent thread(s) in warp"},
    {"lane-not-in-mask", "Invalid arguments"},
    {"numbered-barrier", "Invalid arguments"},
};

// docs/dev/gpu.md compares the two on a GPU.
bool is_unknown_there(const Json& finding) {
  static const std::set<std::string> kUnknown = {"global-race", "inactive-lane", "not-synchronized",
                                                 "device-pointer-on-host", "spin"};
  const std::string kind = finding["kind"];
  return kUnknown.contains(kind) || (kind == "uninitialized" && finding["space"] != "global");
}

bool is_race(const Json& finding) {
  return finding["check"] == "racecheck" && finding.contains("access");
}

// "Read" of "thread (0,0,0) reads them here"
std::string earlier_access(const Json& note) {
  const std::string text = note["text"];
  if (text.find(" reads ") != text.npos) return "Read";
  return text.find(" updates ") != text.npos ? "Atomic" : "Write";
}

std::string text_of_race(const Json& finding) {
  std::string access = finding["access"];
  access[0] = static_cast<char>(std::toupper(access[0]));
  const Json& earlier = finding["notes"][0];
  return line("Error: Race reported between " + access + " access at " +
              kernel_and_place(finding)) +
         more("and " + earlier_access(earlier) + " access at " +
              finding["kernel"].get<std::string>() + " in " + text_of_place(earlier) + " [" +
              finding["count"].dump() + " hazards]") +
         more("thread " + text_of_index(finding["thread"]) + " in block " +
              text_of_index(finding["block"]) + " " + where(finding) + "; " +
              earlier["text"].get<std::string>());
}

// 256, from "the 256 bytes that were allocated here are never freed".
std::size_t bytes_of_leak(const Json& finding) {
  return std::stoull(finding["what"].get<std::string>().substr(4));
}

std::string headline(const Json& finding) {
  const std::string kind = finding["kind"];
  if (kind == "uninitialized")
    return "Uninitialized __" + finding["space"].get<std::string>() + "__ memory read of size " +
           finding["bytes"].dump() + " bytes";
  if (kWrongAccess.contains(kind) && finding.contains("access"))
    return "Invalid " + access_of(finding);
  if (kBarrierErrors.contains(kind)) return "Barrier error detected. " + kBarrierErrors.at(kind);
  if (kind == "leak") return "Leaked " + std::to_string(bytes_of_leak(finding)) + " bytes";
  if (kind == "bad-call" || kind == "bad-launch")
    return "Program hit an error on a CUDA API call: " + finding["what"].get<std::string>();
  return kind + ": " + finding["what"].get<std::string>();
}

std::string text_of_other(const Json& finding) {
  std::string text = line(headline(finding));
  if (finding.contains("kernel")) {
    text += more("at " + kernel_and_place(finding));
    text += more("by thread " + text_of_index(finding["thread"]) + " in block " +
                 text_of_index(finding["block"]));
  } else {
    text += more("    Host Frame: " + text_of_place(finding));
  }
  const auto wrong = kWrongAccess.find(finding["kind"]);
  if (wrong != kWrongAccess.end() && finding.contains("access"))
    text += more(wrong->second + ": " + where(finding));
  if (kBarrierErrors.contains(finding["kind"])) text += more(finding["what"]);
  for (const Json& note : finding["notes"])
    text += more("    " + note["text"].get<std::string>() + ": " + text_of_place(note));
  return text;
}

std::string text_of_error(const Json& finding) {
  std::string text = is_race(finding) ? text_of_race(finding) : text_of_other(finding);
  if (is_unknown_there(finding)) text += more("(compute-sanitizer does not report this)");
  return text + kBar + "\n";
}

}  // namespace

std::string simt_sanitizer(const Json& all) {
  std::string text = "\n" + line("COMPUTE-SANITIZER");
  std::size_t num_races = 0, num_errors = 0, num_leaks = 0, leaked_bytes = 0;
  for (const Json& finding : all["findings"]) {
    text += text_of_error(finding);
    num_races += is_race(finding);
    if (!is_race(finding)) num_errors += finding["count"].get<std::size_t>();
    if (finding["kind"] != "leak") continue;
    ++num_leaks;
    leaked_bytes += bytes_of_leak(finding);
  }
  if (all["runs"][0]["exit_code"] != 0) text += line("Target application returned an error");
  if (num_leaks > 0)
    text += line("LEAK SUMMARY: " + std::to_string(leaked_bytes) + " bytes leaked in " +
                 plural(num_leaks, "allocation"));
  if (num_races > 0)
    text += line("RACECHECK SUMMARY: " + plural(num_races, "hazard") + " displayed (" +
                 plural(num_races, "error") + ", 0 warnings)");
  return text + line("ERROR SUMMARY: " + plural(num_errors, "error"));
}

}  // namespace kv::grader
