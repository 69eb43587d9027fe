#include <fstream>
#include <nlohmann/json.hpp>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/report/report.h"

namespace kv::simt {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const uint3& index) {
  return {index.x, index.y, index.z};
}

void add_place(Json& object, const Place& place) {
  object["file"] = place.file;
  object["line"] = place.line;
}

Json json_of(const KernelTraffic& traffic) {
  Json object{{"kernel", traffic.kernel},
              {"name", name_of_kernel(traffic.kernel)},
              {"launches", traffic.launches},
              {"bytes_requested", traffic.bytes},
              {"bytes_moved", traffic.sectors * kSectorBytes},
              {"bytes_unique", traffic.unique_sectors * kSectorBytes}};
  if (traffic.steps > 0) {
    object["steps"] = traffic.steps;
    object["active_lanes"] = traffic.active_lanes;
  }
  return object;
}

Json json_of(const ReportedNote& note) {
  Json object{{"text", note.text}};
  add_place(object, note.place);
  return object;
}

template <typename T>
Json json_of(const std::vector<T>& items) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(json_of(item));
  return array;
}

Json json_of(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  const KindText& kind = text_of(finding.kind);
  Json object{{"kind", kind.name}, {"check", kind.check}};
  add_place(object, reported.place);
  if (finding.in_kernel) {
    object["kernel"] = name_of_kernel(finding.kernel);
    object["block"] = json_of(finding.block);
    object["thread"] = json_of(finding.thread);
  }
  object["what"] = finding.what;
  object["means"] = kind.means;
  object["count"] = finding.count;
  object["notes"] = json_of(reported.notes);
  if (!reported.lanes.empty()) object["lanes"] = json_of(reported.lanes);
  return object;
}

const char* name_of(Access kind) {
  return kind == Access::kRead ? "read" : kind == Access::kWrite ? "write" : "atomic";
}

Json json_of(const ReportedMetric& reported, const std::string& kernel) {
  const Metric& metric = reported.metric;
  Json object{{"kernel", kernel}};
  add_place(object, reported.place);
  object["space"] = metric.space == Space::kGlobal ? "global" : "shared";
  object["access"] = name_of(metric.kind);
  object["width"] = metric.width;
  object["requests"] = metric.requests;
  object["lanes"] = metric.lanes;
  object["bytes"] = metric.bytes;
  if (metric.space == Space::kGlobal) {
    object["sectors"] = metric.sectors;
    object["ideal_sectors"] = metric.ideal_sectors;
  } else {
    object["wavefronts"] = metric.wavefronts;
    object["ideal_wavefronts"] = metric.ideal_wavefronts;
  }
  return object;
}

Json json_of_lines(const Report& report) {
  Json array = Json::array();
  for (const ReportedMetric& metric : report.metrics) {
    array.push_back(json_of(metric, report.kernels[metric.kernel].kernel));
  }
  return array;
}

Json json_of_findings(const Report& report, bool are_notes) {
  Json array = Json::array();
  for (const ReportedFinding& reported : report.findings) {
    if (is_note(reported.finding.kind) == are_notes) array.push_back(json_of(reported));
  }
  return array;
}

std::string json_text(const Report& report) {
  const Json object{{"format", 1},
                    {"abandoned_launches", machine.num_abandoned},
                    {"findings", json_of_findings(report, false)},
                    {"notes", json_of_findings(report, true)},
                    {"lines", json_of_lines(report)},
                    {"kernels", json_of(report.kernels)}};
  return object.dump(2) + "\n";
}

}  // namespace

void write_report() {
  if (machine.options.report_file.empty()) return;
  std::ofstream stream(machine.options.report_file);
  stream << json_text(make_report());
}

}  // namespace kv::simt
