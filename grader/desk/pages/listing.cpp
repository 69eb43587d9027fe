#include "grader/desk/pages/listing.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

#include "grader/desk/steps/places.h"

namespace kv::grader::pages {
namespace {

// "labs/.../queue_test.cpp:88"
struct SourcePlace {
  explicit SourcePlace(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos) return;
    file = text.substr(0, colon);
    line = std::strtoul(text.c_str() + colon + 1, nullptr, 10);
  }

  std::string file;
  std::size_t line = 0;
};

std::size_t first_line(std::string_view source, const FunctionText& function) {
  return steps::place_of(source, function.begin).line;
}

bool is_in(std::string_view source, const FunctionText& function, std::size_t line) {
  const std::size_t first = first_line(source, function);
  return first <= line && line < first + function.lines.size();
}

// mark: a line; 0 or one outside of the function marks none.
Json listing(const std::string& file,
             std::string_view source,
             const FunctionText& function,
             std::size_t mark) {
  Json lines = Json::array();
  for (const std::string& line : function.lines) lines.push_back(printable(line));
  return {{"file", file},
          {"first", first_line(source, function)},
          {"lines", lines},
          {"mark", is_in(source, function, mark) ? mark : 0}};
}

}  // namespace

Json students_function(const Kit& kit,
                       const Submission& submission,
                       const LabSpec& lab,
                       const StepSpec& asked,
                       const Verdict& verdict) {
  const StepSpec& step = lab.with_stub(asked);
  const fs::path path = submission.stage / lab.folder / step.file;
  if (!fs::is_regular_file(path)) return nullptr;
  const std::string source = read_file(path);
  const auto function = steps::find_step(kit, lab, step, source);
  if (!function) return nullptr;
  const std::string own_path = submission.with_own_paths(path.string());
  const SourcePlace crash(verdict.own_source);
  return listing(own_path, source, *function, crash.file == own_path ? crash.line : 0);
}

Json test_function(const Kit& kit, const Verdict& verdict) {
  const SourcePlace place(verdict.source);
  if (place.file.empty() || !fs::is_regular_file(kit.root / place.file)) return nullptr;
  const std::string source = read_file(kit.root / place.file);
  for (const FunctionText& function : all_functions(source)) {
    if (is_in(source, function, place.line))
      return listing(place.file, source, function, place.line);
  }
  return nullptr;
}

namespace {

Json json_of(const LineTraffic& traffic) {
  return {{"line", traffic.line},   {"is_shared", traffic.is_shared}, {"is_read", traffic.is_read},
          {"width", traffic.width}, {"requests", traffic.requests},   {"moved", traffic.moved},
          {"least", traffic.least}};
}

// The traffic of one file: each kind of request at each line once, with the sums of all tests.
Json traffic_in(const std::string& file, const LabResult& lab) {
  std::map<std::tuple<int, bool, bool, unsigned>, LineTraffic> sums;
  for (const TestResult& test : lab.tests) {
    for (const LineTraffic& more : test.verdict.kernel_lines.traffic) {
      if (more.file != file) continue;
      LineTraffic& sum = sums[{more.line, more.is_shared, more.is_read, more.width}];
      const LineTraffic before = sum;
      sum = more;
      sum.requests += before.requests;
      sum.moved += before.moved;
      sum.least += before.least;
    }
  }
  Json traffic = Json::array();
  for (const auto& [key, sum] : sums) traffic.push_back(json_of(sum));
  return traffic;
}

// A bug fails many tests, and is one finding.
Json findings_in(const std::string& own_path, const Submission& submission, const LabResult& lab) {
  Json all = Json::array();
  for (const TestResult& test : lab.tests) {
    for (const Json& finding : findings_of(submission, test.verdict)) {
      const bool is_known = std::ranges::any_of(all, [&](const Json& other) {
        return other["line"] == finding["line"] && other["kind"] == finding["kind"];
      });
      if (finding["file"] == own_path && !is_known) all.push_back(finding);
    }
  }
  return all;
}

}  // namespace

Json findings_of(const Submission& submission, const Verdict& verdict) {
  Json findings = Json::array();
  for (const KernelFinding& finding : verdict.kernel_lines.findings) {
    findings.push_back({{"file", submission.with_own_paths(finding.file)},
                        {"line", finding.line},
                        {"kind", finding.kind},
                        {"where", finding.where},
                        {"what", finding.what},
                        {"means", finding.means}});
  }
  return findings;
}

Json kernel_listings(const Submission& submission, const LabResult& lab) {
  Json listings = Json::array();
  for (const std::string& name : lab.lab->files) {
    const fs::path file = submission.stage / lab.lab->folder / name;
    if (!fs::is_regular_file(file)) continue;
    const std::string own_path = submission.with_own_paths(file.string());
    Json listing = {{"file", own_path},
                    {"first", 1},
                    {"lines", split_lines(printable(read_file(file)))},
                    {"mark", 0},
                    {"findings", findings_in(own_path, submission, lab)},
                    {"traffic", traffic_in(file.string(), lab)}};
    if (!listing["findings"].empty() || !listing["traffic"].empty()) listings.push_back(listing);
  }
  return listings;
}

}  // namespace kv::grader::pages
