#include "simt/runtime/report/report.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/core/warp_calls.h"

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
  if (sum.worst.is_better_than(more.worst.cost, more.worst.ideal)) sum.worst = more.worst;
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

Rank rank_of(const Finding& finding) {
  const std::string_view check = text_of(finding.kind).check;
  if (check == "synccheck" || finding.is_of_barrier) return Rank::kBarrier;
  return check == "leakcheck" ? Rank::kLeak : Rank::kOther;
}

ReportedFinding reported(const Finding& finding, const Places& places) {
  ReportedFinding result{
      finding, rank_of(finding), places.of(finding.site), {}, lanes_of(finding, places)};
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

bool is_place_of(const ReportedFinding& race, const Place& place) {
  return race.place == place || race.notes.front().place == place;
}

// Another thread of the block writes it later: what is missing is a barrier, not a value.
void explain_unwritten(std::vector<ReportedFinding>& all) {
  for (ReportedFinding& read : all) {
    if (read.finding.kind != Kind::kUninitialized || !read.notes.empty()) continue;
    const auto race = std::ranges::find_if(all, [&](const ReportedFinding& each) {
      return each.finding.kind == Kind::kSharedRace && each.finding.kernel == read.finding.kernel &&
             is_place_of(each, read.place);
    });
    if (race == all.end()) continue;
    const bool is_read_there = race->place == read.place;
    read.rank = Rank::kExplained;
    read.finding.what += " yet";
    read.notes.push_back({"it is written here, and nothing orders the two",
                          is_read_there ? race->notes.front().place : race->place});
  }
}

void put_causes_first(std::vector<ReportedFinding>& all) {
  std::ranges::stable_sort(all, {}, [](const ReportedFinding& each) {
    return std::pair(each.finding.launch, each.rank);
  });
}

}  // namespace

Report make_report() {
  profile.settle();
  const Places places;
  Report report;
  for (const Finding& finding : findings.all()) add(report.findings, reported(finding, places));
  explain_unwritten(report.findings);
  put_causes_first(report.findings);
  for (std::size_t kernel = 0; kernel < profile.kernels().size(); ++kernel) {
    for (const Metric& metric : profile.metrics(kernel)) {
      report.metrics.push_back({kernel, places.of(metric.site), metric});
    }
  }
  merge_lines(report.metrics);
  report.kernels = profile.kernels();
  for (const KernelTraffic& kernel : report.kernels) {
    report.first_steps.emplace_back();
    for (const Step& step : kernel.first_steps)
      report.first_steps.back().push_back({step, places.of(step.site)});
  }
  return report;
}

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
  if (traffic.counted_blocks < traffic.blocks) {
    object["blocks"] = traffic.blocks;
    object["counted_blocks"] = traffic.counted_blocks;
  }
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

// Each: its warp, the lanes as a number, file and line.
Json json_of(const ReportedStep& step) {
  return {step.step.warp, step.step.lanes, step.place.file, step.place.line};
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
  if (finding.access.bytes > 0) {
    object["access"] = finding.access.kind;
    object["space"] = finding.access.space;
    object["bytes"] = finding.access.bytes;
  }
  object["what"] = finding.what;
  object["means"] = kind.means;
  object["count"] = finding.count;
  object["launch"] = finding.launch;
  object["rank"] = static_cast<int>(reported.rank);
  object["notes"] = json_of(reported.notes);
  if (!reported.lanes.empty()) object["lanes"] = json_of(reported.lanes);
  return object;
}

// For each lane a byte of the memory, counted from a multiple of 128 bytes; null: it takes no part.
Json json_of(const Example& example) {
  constexpr std::uint32_t kLine = 128;
  const Request& request = example.request;
  std::uint32_t least = UINT32_MAX;
  for_each_lane(request.lanes,
                [&](unsigned lane) { least = std::min(least, request.addresses[lane]); });
  Json bytes = Json::array();
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool takes_part = (request.lanes >> lane & 1) != 0;
    bytes.push_back(takes_part ? Json(request.addresses[lane] - least / kLine * kLine) : Json());
  }
  return {{"cost", example.cost}, {"ideal", example.ideal}, {"bytes", bytes}};
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
  if (machine.options.has_details) object["example"] = json_of(metric.worst);
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
                    {"kernels", json_of(report.kernels)},
                    {"first_steps", json_of(report.first_steps)}};
  return object.dump(2) + "\n";
}

}  // namespace

void write_report() {
  if (machine.options.report_file.empty()) return;
  std::ofstream stream(machine.options.report_file);
  stream << json_text(make_report());
}

void write_refusal(const std::string& sentence) {
  if (machine.options.report_file.empty()) return;
  std::ofstream stream(machine.options.report_file);
  stream << Json{{"refused", sentence}}.dump(2) << "\n";
}

}  // namespace kv::simt
