#pragma once
// What was found and counted so far, with lines of the source in place of addresses.

#include <vector>

#include "simt/runtime/profile/profile.h"
#include "simt/runtime/report/places.h"

namespace kv::simt {

// The finding of a launch that has the lowest rank comes first, and the earlier one of two.
enum class Rank { kBarrier, kOther, kExplained, kLeak };

struct ReportedFinding {
  Finding finding;
  Rank rank;
  Place place;
  std::vector<ReportedNote> notes;
  std::vector<ReportedNote> lanes;  // where each was when the launch was abandoned
};

struct ReportedMetric {
  std::size_t kernel;  // which of Report::kernels
  Place place;
  Metric metric;
};

struct ReportedStep {
  Step step;
  Place place;
};

struct Report {
  std::vector<ReportedFinding> findings;
  std::vector<ReportedMetric> metrics;  // sums for each kernel, line and width
  std::vector<KernelTraffic> kernels;
  std::vector<std::vector<ReportedStep>> first_steps;  // for each kernel
};

Report make_report();

// Writes it as JSON to the file that the options name.
void write_report();

// In its place: why the program cannot be run.
void write_refusal(const std::string& sentence);

}  // namespace kv::simt
