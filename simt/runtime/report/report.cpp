#include "simt/runtime/report/report.h"

#include <algorithm>
#include <tuple>

namespace kv::simt {
namespace {

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

ReportedFinding reported(const Finding& finding, const Places& places) {
  ReportedFinding result{finding, places.of(finding.site), {}, lanes_of(finding, places)};
  for (const Note& note : finding.notes) {
    result.notes.push_back({note.text, places.of(note.site)});
  }
  for (const Whereabouts& group : finding.whereabouts) {
    if (group.doing != Doing::kLooping) continue;
    result.place = places.of(group);
    break;
  }
  return result;
}

}  // namespace

Report make_report() {
  profile.settle();
  const Places places;
  Report report;
  for (const Finding& finding : findings.all()) add(report.findings, reported(finding, places));
  for (std::size_t kernel = 0; kernel < profile.kernels().size(); ++kernel) {
    for (const Metric& metric : profile.metrics(kernel)) {
      report.metrics.push_back({kernel, places.of(metric.site), metric});
    }
  }
  merge_lines(report.metrics);
  report.kernels = profile.kernels();
  return report;
}

}  // namespace kv::simt
