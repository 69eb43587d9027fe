// The counts in the sections and metrics of NVIDIA's Nsight Compute, so that `ncu --set full` shows
// nothing new later. What takes a clock to measure is not here.

#include <algorithm>
#include <cstdio>

#include "simt/cli/simt.h"

namespace kv::grader {
namespace {

constexpr int kNameColumns = 68;

// "1,048,576", "4.25"
std::string number(double value) {
  char text[40];
  const bool is_whole = value == static_cast<double>(static_cast<long long>(value));
  std::snprintf(text, sizeof text, is_whole ? "%.0f" : "%.2f", value);
  std::string digits = text;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t i = point; i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string rule() {
  return "    " + std::string(kNameColumns, '-') + " ----------- ---------------\n";
}

std::string row(const std::string& name, const std::string& unit, const std::string& value) {
  char text[160];
  std::snprintf(text, sizeof text, "    %-*s %11s %15s\n", kNameColumns, name.c_str(), unit.c_str(),
                value.c_str());
  return text;
}

std::string table(const std::string& section, const std::string& rows) {
  return "    Section: " + section + "\n" + rule() +
         row("Metric Name", "Metric Unit", "Metric Value") + rule() + rows + rule();
}

// What the lines of a kernel have in common: one kind of access to one kind of memory.
struct Traffic {
  double requests = 0, cost = 0, ideal = 0;  // in sectors, or in wavefronts
};

Traffic traffic_of(const Json& all, const Json& kernel, bool is_global, bool is_read) {
  Traffic sum;
  for (const Json& line : all["lines"]) {
    if (line["kernel"] != kernel["kernel"] || (line["space"] == "global") != is_global) continue;
    if ((line["access"] == "read") != is_read || line["access"] == "atomic") continue;
    sum.requests += line["requests"].get<double>();
    sum.cost += line[is_global ? "sectors" : "wavefronts"].get<double>();
    sum.ideal += line[is_global ? "ideal_sectors" : "ideal_wavefronts"].get<double>();
  }
  return sum;
}

std::string memory_tables(const Json& all, const Json& kernel) {
  std::string rows;
  for (const bool is_read : {true, false}) {
    const Traffic memory = traffic_of(all, kernel, true, is_read);
    if (memory.requests == 0) continue;
    const std::string end = is_read ? "_pipe_lsu_mem_global_op_ld" : "_pipe_lsu_mem_global_op_st";
    rows += row("l1tex__t_requests" + end + ".sum", "", number(memory.requests));
    rows += row("l1tex__t_sectors" + end + ".sum", "sector", number(memory.cost));
    rows += row("l1tex__average_t_sectors_per_request" + end + ".ratio", "sector",
                number(memory.cost / memory.requests));
  }
  for (const bool is_read : {true, false}) {
    const Traffic shared = traffic_of(all, kernel, false, is_read);
    if (shared.requests == 0) continue;
    const std::string end = is_read ? "_op_ld.sum" : "_op_st.sum";
    rows += row("l1tex__data_pipe_lsu_wavefronts_mem_shared" + end, "", number(shared.cost));
    rows += row("l1tex__data_bank_conflicts_pipe_lsu_mem_shared" + end, "",
                number(shared.cost - shared.ideal));
  }
  return rows.empty() ? "" : table("Memory Workload Analysis Tables", rows);
}

std::string source_counters(const Json& all, const Json& kernel) {
  double sectors = 0, excessive = 0, most = 0;
  std::string place;
  for (const Json& line : all["lines"]) {
    if (line["kernel"] != kernel["kernel"] || line["space"] != "global") continue;
    const double more = line["sectors"].get<double>() - line["ideal_sectors"].get<double>();
    sectors += line["sectors"].get<double>();
    excessive += more;
    if (more <= most) continue;
    most = more;
    place = line["file"].get<std::string>() + ":" + line["line"].dump();
  }
  if (excessive == 0) return "";
  char share[16];
  std::snprintf(share, sizeof share, "%.0f%%", 100 * excessive / sectors);
  return "    Section: Source Counters\n"
         "    OPT   This kernel has uncoalesced global accesses resulting in a total of " +
         number(excessive) + " excessive sectors\n          (" + share + " of the total " +
         number(sectors) + " sectors). Most of them: " + place + "\n";
}

std::string warp_states(const Json& kernel) {
  if (!kernel.contains("steps")) return "";
  const double active = kernel["active_lanes"].get<double>() / kernel["steps"].get<double>();
  return table("Warp State Statistics", row("Avg. Active Threads Per Warp", "", number(active)));
}

}  // namespace

std::string simt_ncu(const Json& all) {
  std::string text;
  for (const Json& kernel : all["kernels"]) {
    const bool is_one = kernel["launches"] == 1;
    text += "\n  " + kernel["name"].get<std::string>() + ", " + kernel["launches"].dump() +
            (is_one ? " launch\n" : " launches\n");
    text += memory_tables(all, kernel) + source_counters(all, kernel) + warp_states(kernel);
  }
  return text;
}

}  // namespace kv::grader
