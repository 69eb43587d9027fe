#include "simt/runtime/options.h"

#include <cstdlib>

namespace kv::simt {
namespace {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Options options_from_environment() {
  Options options;
  if (variable("KV_SIMT_SCHEDULE") == "reverse") options.schedule = Schedule::kReverse;
  options.is_lockstep = variable("KV_SIMT_LOCKSTEP") == "1";
  options.has_profile = variable("KV_SIMT_PROFILE") != "0";
  if (const std::string budget = variable("KV_SIMT_BUDGET"); !budget.empty()) {
    options.budget = std::strtoull(budget.c_str(), nullptr, 10);
  }
  options.report_file = variable("KV_SIMT_REPORT");
  return options;
}

}  // namespace kv::simt
