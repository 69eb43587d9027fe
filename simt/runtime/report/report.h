#pragma once
// All that was found and counted, with lines instead of addresses.

#include <string>
#include <vector>

#include "simt/runtime/profile/profile.h"
#include "simt/runtime/report/symbols.h"

namespace kv::simt {

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

Report make_report();

std::string json(const Report& report);

void report_at_exit();

// To the file that the options name.
void write_report();

}  // namespace kv::simt
