#pragma once
// What the simulator has seen, for a program that asks while it runs, such as a test of kernels.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kv::simt {

// In which order the threads of a launch run: first or last lane, warp and block first. What is
// right in both does not depend on the order.
enum class ThreadOrder { kForward, kReverse };

struct SourceLine {
  std::string file;  // empty: unknown
  int line = 0;
};

struct SeenNote {
  std::string text;  // "it was allocated here"
  SourceLine at;
};

struct SeenFinding {
  std::string kind;  // "out-of-bounds"
  SourceLine at;
  std::string where;  // "block (3,0,0) of vector_add"; empty in host code
  std::string what;   // "thread (232,0,0) reads 4 bytes right after the end of ..."
  std::string means;  // one sentence
  std::vector<SeenNote> notes;
};

// Sums over the requests that warps made at one line; simt/docs/simt.md explains the words.
struct LineTraffic {
  std::string kernel;
  SourceLine at;
  bool is_shared;  // else device memory
  bool is_read;
  unsigned width;  // bytes for each lane
  std::uint64_t requests, lanes, bytes;
  std::uint64_t sectors, ideal_sectors;        // 32 bytes each; device memory only
  std::uint64_t wavefronts, ideal_wavefronts;  // shared memory only
};

// Sums over the launches of one kernel, in device memory.
struct LaunchTraffic {
  std::string kernel;
  std::uint64_t bytes_requested, bytes_moved, bytes_unique;
  std::uint64_t steps, active_lanes;  // basic blocks of warps, and the lanes in them
};

struct Seen {
  std::vector<SeenFinding> findings;  // without notes
  std::vector<LineTraffic> lines;
  std::vector<LaunchTraffic> kernels;
};

// Forgets what was seen, and says how the next launches run. To count, the lanes of a warp run in
// lockstep, which is slower.
void begin_session(ThreadOrder order, bool counts_traffic);

// Everything since then.
Seen seen_in_session();

// Findings call the memory that cudaMalloc gave by this name, and say what `place` says of a byte
// of it: "at byte 512 of key_cache (slot 1, KV head 0)".
void name_memory(const void* memory,
                 const std::string& name,
                 std::function<std::string(std::size_t byte)> place);

}  // namespace kv::simt
