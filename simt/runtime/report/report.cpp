#include "simt/runtime/report/report.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <tuple>

#include "simt/runtime/host/device.h"
#include "simt/runtime/memory/arena.h"

namespace kv::simt {
namespace {

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

// A compiler may make two calls of one line; they are the same to whoever wrote it.
bool is_one_call_after_all(const ReportedFinding& reported) {
  const Kind kind = reported.finding.kind;
  return (kind == Kind::kDivergentBarrier || kind == Kind::kDifferentCalls) &&
         !reported.place.file.empty() && reported.place == reported.notes.front().place;
}

// Of two lines that race, either may come first.
std::vector<Place> places_in_order(const ReportedFinding& reported) {
  std::vector<Place> places{reported.place};
  for (const ReportedNote& note : reported.notes) places.push_back(note.place);
  std::sort(places.begin(), places.end());
  return places;
}

bool same_to_a_reader(const ReportedFinding& a, const ReportedFinding& b) {
  return a.finding.kind == b.finding.kind && a.finding.kernel == b.finding.kernel &&
         places_in_order(a) == places_in_order(b);
}

void add(std::vector<ReportedFinding>& all, ReportedFinding reported) {
  if (is_one_call_after_all(reported)) return;
  for (ReportedFinding& known : all) {
    if (!same_to_a_reader(known, reported)) continue;
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
    const bool is_same = !merged.empty() && key(merged.back()) == key(metric);
    if (is_same) add(merged.back().metric, metric.metric);
    if (!is_same) merged.push_back(metric);
  }
  metrics = std::move(merged);
}

}  // namespace

Report make_report() {
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

void write_report() {
  if (machine.options.report_file.empty()) return;
  std::ofstream stream(machine.options.report_file);
  stream << json(make_report());
}

void report_at_exit() {
  std::atexit([] {
    find_leaks();
    write_report();
  });
}

}  // namespace kv::simt
