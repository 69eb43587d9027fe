#include "simt/runtime/core/machine.h"

#include <cstdlib>

namespace kv::simt {

// Why it is built first: static objects of the program may launch kernels.
__attribute__((init_priority(101))) Machine machine;

std::string text(const uint3& index) {
  return "(" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
         std::to_string(index.z) + ")";
}

std::string name_of(const Thread& thread) {
  return "thread " + text(thread.index);
}

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
  options.has_details = variable("KV_SIMT_DETAILS") == "1";
  options.has_profile = variable("KV_SIMT_PROFILE") != "0";
  if (const std::string budget = variable("KV_SIMT_BUDGET"); !budget.empty()) {
    options.budget = std::strtoull(budget.c_str(), nullptr, 10);
  }
  options.report_file = variable("KV_SIMT_REPORT");
  return options;
}

}  // namespace kv::simt
