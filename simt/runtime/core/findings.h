#pragma once
// What is wrong in the program, collected while kernels run. Addresses in the program become lines
// of the source at the end, all at once (report/symbols.h).

#include <cstdint>
#include <string>
#include <vector>

#include "simt/vector_types.h"

namespace kv::simt {

using Site = const void*;  // an address in the program: the return address of a call

enum class Kind {
  kOutOfBounds,
  kMisaligned,
  kNullPointer,
  kHostPointer,
  kUseAfterFree,
  kOthersLocalMemory,
  kConstantWrite,
  kStackOverflow,
  kArrayIndex,
  kDevicePointerOnHost,
  kBadCall,
  kLeak,
  kUninitialized,
  kSharedRace,
  kGlobalRace,
  kStreamRace,
  kDivergentBarrier,
  kBarrierNotReached,
  kLaneNotInMask,
  kMissingLanes,
  kDifferentCalls,
  kInactiveLane,
  kSpin,
  kGridBarrier,
  kUnfinishedCopy,
  kTileCall,
  kNumberedBarrier,
  kAssert,
  kTrap,
  kBadLaunch,
  kHostVariable,
  kUnsetConstant,
  kDeviceVariableOnHost,
  kNotSynchronized,
  kSharedMemorySize,
  kSameValue,  // from here on: notes
  kReadBeforeCas,
  kEarlyReturn,
};

// A note says what a reader may take for a bug, and why it is none.
inline bool is_note(Kind kind) {
  return kind >= Kind::kSameValue;
}

// What a kind is called, and what it means.
struct KindText {
  const char* name;   // "out-of-bounds"
  const char* check;  // "memcheck"
  const char* means;  // one sentence
};
const KindText& text_of(Kind kind);

struct Note {
  std::string text;  // "written there by thread (3,0,0)"
  Site site;
};

enum class Doing { kLooping, kAtBarrier, kInWarpCall, kStopped, kNotBegun, kReturned };

// Where threads were when their launch was abandoned, and what they did there.
struct Whereabouts {
  Doing doing;
  std::vector<Site> sites;           // several for a loop; the first line of them names it
  std::vector<std::uint32_t> lanes;  // a number for each warp, a bit for each lane

  unsigned first_thread() const;
  // "lanes 0-31 of warps 0-3 wait at this barrier"
  std::string text() const;
};

// An access of a kernel, as CUDA's tools name it.
struct AccessName {
  const char* kind = "";   // "read", "write", "atomic"
  const char* space = "";  // "global", "shared", "local", "constant"
  unsigned bytes = 0;      // 0: there is none
};

struct Finding {
  Kind kind;
  Site site;         // nullptr: unknown
  std::string what;  // one sentence, with names and bytes
  AccessName access = {};
  std::vector<Note> notes = {};
  std::vector<Whereabouts> whereabouts = {};
  bool is_of_barrier = false;  // a race for a barrier that is an object: a cause of endless waits
  bool in_kernel = true;       // false: host code
  std::uint32_t launch = 0;    // the last one that has begun
  std::string kernel = {};
  uint3 block = {}, thread = {};
  std::uint64_t count = 1;
};

struct Thread;

class Findings {
 public:
  // Adds the block and thread: this thread, or the current one; none in host code. A second finding
  // of the same kind at the same places only raises the count of the first.
  void add(Finding finding, const Thread* thread = nullptr);

  const std::vector<Finding>& all() const { return all_; }
  void clear() { all_.clear(); }
  void remove_notes();

 private:
  std::vector<Finding> all_;
};

extern Findings findings;

}  // namespace kv::simt
