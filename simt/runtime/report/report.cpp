#include "simt/runtime/report/report.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "simt/runtime/profile/profile.h"
#include "simt/runtime/report/symbols.h"

namespace kv::simt {
namespace {

using Json = nlohmann::ordered_json;

struct ReportedNote {
  std::string text;
  Place place;
};

struct ReportedFinding {
  Finding finding;
  Place place;
  std::vector<ReportedNote> notes;
};

struct ReportedMetric {
  std::size_t kernel;  // which of Report::kernels
  Place place;
  Metric metric;
};

struct Report {
  std::vector<ReportedFinding> findings;
  std::vector<ReportedMetric> metrics;  // sums for each kernel, line and width
  std::vector<KernelTraffic> kernels;
};

std::vector<Site> all_sites() {
  std::vector<Site> all;
  for (const Finding& finding : findings.all()) {
    all.push_back(finding.site);
    for (const Note& note : finding.notes) all.push_back(note.site);
  }
  for (std::size_t kernel = 0; kernel < profile.kernels().size(); ++kernel) {
    for (const Metric& metric : profile.metrics(kernel)) all.push_back(metric.site);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// A compiler may emit two calls for one call in the source.
bool is_one_call_in_source(const ReportedFinding& reported) {
  const Kind kind = reported.finding.kind;
  return (kind == Kind::kDivergentBarrier || kind == Kind::kDifferentCalls) &&
         !reported.place.file.empty() && reported.place == reported.notes.front().place;
}

// Sorted, because of two lines that race either may be found first.
std::vector<Place> places_in_order(const ReportedFinding& reported) {
  std::vector<Place> places{reported.place};
  for (const ReportedNote& note : reported.notes) places.push_back(note.place);
  std::sort(places.begin(), places.end());
  return places;
}

bool is_same(const ReportedFinding& a, const ReportedFinding& b) {
  return a.finding.kind == b.finding.kind && a.finding.kernel == b.finding.kernel &&
         places_in_order(a) == places_in_order(b);
}

void add(std::vector<ReportedFinding>& all, ReportedFinding reported) {
  if (is_one_call_in_source(reported)) return;
  for (ReportedFinding& known : all) {
    if (!is_same(known, reported)) continue;
    known.finding.count += reported.finding.count;
    return;
  }
  all.push_back(std::move(reported));
}

auto key(const ReportedMetric& reported) {
  const Metric& metric = reported.metric;
  return std::make_tuple(reported.kernel, reported.place, metric.space, metric.kind, metric.width);
}

void add(Metric& sum, const Metric& more) {
  sum.requests += more.requests;
  sum.lanes += more.lanes;
  sum.bytes += more.bytes;
  sum.sectors += more.sectors;
  sum.ideal_sectors += more.ideal_sectors;
  sum.wavefronts += more.wavefronts;
  sum.ideal_wavefronts += more.ideal_wavefronts;
}

void merge_lines(std::vector<ReportedMetric>& metrics) {
  std::sort(metrics.begin(), metrics.end(),
            [](const auto& a, const auto& b) { return key(a) < key(b); });
  std::vector<ReportedMetric> merged;
  for (const ReportedMetric& metric : metrics) {
    const bool is_known = !merged.empty() && key(merged.back()) == key(metric);
    if (is_known) add(merged.back().metric, metric.metric);
    if (!is_known) merged.push_back(metric);
  }
  metrics = std::move(merged);
}

Report make_report() {
  profile.settle();
  const std::map<Site, Place> places = places_of(all_sites());
  const auto place_of = [&](Site site) {
    const auto known = places.find(site);
    return known == places.end() ? Place{} : known->second;
  };
  Report report;
  for (const Finding& finding : findings.all()) {
    ReportedFinding reported{finding, place_of(finding.site), {}};
    for (const Note& note : finding.notes) {
      reported.notes.push_back({note.text, place_of(note.site)});
    }
    add(report.findings, std::move(reported));
  }
  for (std::size_t kernel = 0; kernel < profile.kernels().size(); ++kernel) {
    for (const Metric& metric : profile.metrics(kernel)) {
      report.metrics.push_back({kernel, place_of(metric.site), metric});
    }
  }
  merge_lines(report.metrics);
  report.kernels = profile.kernels();
  return report;
}

Json json_of(const uint3& index) {
  return {index.x, index.y, index.z};
}

void add_place(Json& object, const Place& place) {
  object["file"] = place.file;
  object["line"] = place.line;
}

Json json_of(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  const KindText& kind = text_of(finding.kind);
  Json object{{"kind", kind.name}, {"check", kind.check}};
  add_place(object, reported.place);
  if (finding.in_kernel) {
    object["kernel"] = finding.kernel;
    object["block"] = json_of(finding.block);
    object["thread"] = json_of(finding.thread);
  }
  object["what"] = finding.what;
  object["means"] = kind.means;
  object["count"] = finding.count;
  object["notes"] = Json::array();
  for (const ReportedNote& note : reported.notes) {
    Json item{{"text", note.text}};
    add_place(item, note.place);
    object["notes"].push_back(item);
  }
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

Json json_of(const KernelTraffic& traffic) {
  Json object{{"kernel", traffic.kernel},
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

template <typename T>
Json json_of(const std::vector<T>& items) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(json_of(item));
  return array;
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
