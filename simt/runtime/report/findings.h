#pragma once
// What was found wrong, as it is collected while kernels run. Addresses in the program become lines
// only at the end, all at once (symbols.h).

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
  kDivergentBarrier,
  kBarrierNotReached,
  kLaneNotInMask,
  kMissingLanes,
  kDifferentCalls,
  kInactiveLane,
  kSpin,
  kAssert,
  kTrap,
  kBadLaunch,
};

struct Note {
  std::string text;  // "written there by thread (3,0,0)"
  Site site;
};

struct Finding {
  Kind kind;
  Site site;         // nullptr: unknown
  std::string what;  // one sentence, with names and bytes
  std::vector<Note> notes = {};
  bool in_kernel = true;  // false: host code
  std::string kernel = {};
  uint3 block = {}, thread = {};
  std::uint64_t count = 1;
};

struct Thread;

class Findings {
 public:
  // Adds where it happens: in this thread, or in the current one, or in host code. A finding of the
  // same kind at the same places is only counted.
  void add(Finding finding, const Thread* thread = nullptr);

  const std::vector<Finding>& all() const { return all_; }
  void clear() { all_.clear(); }

 private:
  std::vector<Finding> all_;
};

extern Findings findings;

}  // namespace kv::simt
