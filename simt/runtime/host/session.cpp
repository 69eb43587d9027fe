#include "simt/session.h"

#include "simt/runtime/core/machine.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/report/report.h"

namespace kv::simt {
namespace {

// Basic blocks without progress. Why fewer than in a program: a test's kernels are small, and many
// tests meet the same endless loop.
constexpr std::uint64_t kBudget = 1u << 25;

SourceLine line_of(const Place& place) {
  return {place.file, place.line};
}

SeenFinding seen(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  const KindText& kind = text_of(finding.kind);
  SeenFinding result{kind.name, line_of(reported.place), "", finding.what, kind.means, {}};
  if (finding.in_kernel) {
    result.where = "block " + text(finding.block) + " of " + name_of_kernel(finding.kernel);
  }
  for (const auto& notes : {reported.notes, reported.lanes}) {
    for (const ReportedNote& note : notes) result.notes.push_back({note.text, line_of(note.place)});
  }
  return result;
}

LineTraffic seen(const ReportedMetric& reported, const std::string& kernel) {
  const Metric& metric = reported.metric;
  return {.kernel = name_of_kernel(kernel),
          .at = line_of(reported.place),
          .is_shared = metric.space == Space::kShared,
          .is_read = metric.kind == Access::kRead,
          .width = metric.width,
          .requests = metric.requests,
          .lanes = metric.lanes,
          .bytes = metric.bytes,
          .sectors = metric.sectors,
          .ideal_sectors = metric.ideal_sectors,
          .wavefronts = metric.wavefronts,
          .ideal_wavefronts = metric.ideal_wavefronts};
}

LaunchTraffic seen(const KernelTraffic& traffic) {
  return {.kernel = name_of_kernel(traffic.kernel),
          .bytes_requested = traffic.bytes,
          .bytes_moved = traffic.sectors * kSectorBytes,
          .bytes_unique = traffic.unique_sectors * kSectorBytes,
          .steps = traffic.steps,
          .active_lanes = traffic.active_lanes};
}

}  // namespace

void begin_session(ThreadOrder order, bool counts_traffic) {
  device.start();
  findings.clear();
  profile = {};
  machine.options.schedule =
      order == ThreadOrder::kForward ? Schedule::kForward : Schedule::kReverse;
  machine.options.budget = kBudget;
  machine.options.has_profile = machine.options.is_lockstep = counts_traffic;
  machine.options.has_sample = false;
}

Seen seen_in_session() {
  findings.remove_notes();  // a test has no use for them, and their lines take long to find
  const Report report = make_report();
  Seen all;
  for (const ReportedFinding& each : report.findings) all.findings.push_back(seen(each));
  for (const ReportedMetric& each : report.metrics) {
    all.lines.push_back(seen(each, report.kernels[each.kernel].kernel));
  }
  for (const KernelTraffic& each : report.kernels) all.kernels.push_back(seen(each));
  return all;
}

void name_memory(const void* memory,
                 const std::string& name,
                 std::function<std::string(std::size_t byte)> place) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  Allocation* const allocation =
      arena.contains(address) ? arena.owner(arena.offset(address)) : nullptr;
  if (allocation == nullptr) return;  // memory without bytes has no allocation
  allocation->name = name;
  allocation->place = std::move(place);
}

}  // namespace kv::simt
