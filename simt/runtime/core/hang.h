#pragma once
// The end of a launch that hangs. Its threads run on for one turn each and are watched, so that the
// report names the loop of each and not the line where it happens to be. Then the launch is
// abandoned.

#include <array>
#include <cstdint>
#include <vector>

#include "simt/runtime/core/fiber.h"
#include "simt/runtime/core/findings.h"

namespace kv::simt {

struct Thread;

class HangWatch {
 public:
  void begin_launch();

  // The launch is to be abandoned when its threads were watched.
  void begin();
  bool is_on() const { return is_on_; }
  // A thread begins a basic block.
  void see(const Thread& thread, const void* frame);
  void turn_ended(const Thread& thread);
  bool has_seen_all() const;

  // From a signal handler: begins with the next basic block of the current thread.
  void ask();
  bool is_asked() const { return is_asked_; }
  // Time passes; see host/signals.h.
  void tick() { ticks_ += is_on_ ? 1 : 0; }

  // Ends the launch. `here` is where the current thread is, if it was not seen.
  [[noreturn]] void abandon(Site here = nullptr);

 private:
  // A basic block of a thread, and of which call: outer functions have higher frames.
  struct Step {
    const void* frame;
    Site site;
    bool is_repeated;  // the thread came through it again
  };

  struct Trail {
    std::vector<Step> steps;
    bool is_in_loop = false;
  };

  std::vector<Site> loop_of(const Thread& thread) const;
  Whereabouts whereabouts_of(const Thread& thread, Site here) const;
  std::vector<Whereabouts> all_whereabouts(Site here) const;

  bool is_on_ = false;
  bool is_asked_ = false;
  bool is_endless_ = false;  // memory still changes
  unsigned turns_left_ = 0;
  int ticks_ = 0;
  std::array<Trail, kMaxThreads> trails_;
};

extern HangWatch hang_watch;

}  // namespace kv::simt
