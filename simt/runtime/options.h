#pragma once
// How a program is run. Read from the environment, because the arguments belong to the program.

#include <cstdint>
#include <string>

namespace kv::simt {

enum class Schedule { kForward, kReverse };

struct Options {
  Schedule schedule = Schedule::kForward;  // KV_SIMT_SCHEDULE=reverse: last lane, warp, block first
  bool is_lockstep = false;                // KV_SIMT_LOCKSTEP=1, see scheduler.h
  bool has_profile = true;                 // KV_SIMT_PROFILE=0
  std::uint64_t budget = 3u << 28;         // KV_SIMT_BUDGET: basic blocks without progress
  std::string report_file;                 // KV_SIMT_REPORT
};

Options options_from_environment();

}  // namespace kv::simt
