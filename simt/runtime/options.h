#pragma once
// How a program is run, from the environment: the program's own arguments are its own.

#include <cstdint>
#include <string>

namespace kv::simt {

enum class Schedule { kForward, kReverse };

struct Options {
  Schedule schedule = Schedule::kForward;  // KV_SIMT_SCHEDULE=reverse: last lane, warp, block first
  bool is_lockstep = false;                // KV_SIMT_LOCKSTEP=1: a warp goes basic block by block
  bool has_profile = true;                 // KV_SIMT_PROFILE=0
  std::uint64_t budget = 1u << 27;         // basic blocks of a thread between two barriers
  std::string report_file;                 // KV_SIMT_REPORT
};

Options options_from_environment();

}  // namespace kv::simt
