#pragma once
// Does the launch go on, or does it hang? It goes on when a thread ends, when memory gets contents
// that it did not have before, when a thread reads where it did not read before, and, for a while,
// when a barrier opens. Work is counted, not time: every run decides the same.

#include <array>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "simt/runtime/core/fiber.h"
#include "simt/runtime/core/findings.h"

namespace kv::simt {

struct Thread;

// Basic blocks of a thread before others may run.
inline constexpr std::uint64_t kTurn = 4096, kShortTurn = 256;

// What else costs time, in basic blocks.
inline constexpr std::uint64_t kReadWork = 16, kWriteWork = 32, kAtomicWork = 64;
inline constexpr std::uint64_t kWaitWork = 64;
inline constexpr std::uint64_t kPrintWork = 1 << 14;  // more than it costs: a hang prints, too

class Progress {
 public:
  void begin_launch();
  void thread_ended();
  // A page of device memory was touched, for the first time in this launch.
  void memory_reached() { work_at_end_ = work_at_news_ = work_; }
  void barrier_opened();
  void add_work(std::uint64_t work) { work_ += work; }
  // Called before the write: the contents are compared when the next write comes.
  void will_write(std::uintptr_t address, unsigned num_bytes);
  // Called at the end of each turn of a thread. Returns whether there was progress in it.
  bool look_at(Thread& thread);

  bool has_to_end() const { return is_still() || is_endless(); }
  // Memory still changes, but for more than the budget no thread has ended, nor reached new memory.
  bool is_endless() const;
  std::uint64_t work() const { return work_; }
  std::uint64_t num_events() const { return num_events_; }  // that were progress

 private:
  // Nothing has moved on for the whole budget.
  bool is_still() const;

  using Contents = std::array<std::uint64_t, 2>;

  struct Write {
    std::uintptr_t address;
    unsigned num_bytes;  // 0: none
    Contents before;
  };

  static Contents contents_of(const Write& write);
  void compare_last_write();

  std::uint64_t work_ = 0, work_at_news_ = 0, work_at_barrier_ = 0, work_at_end_ = 0;
  std::uint64_t num_events_ = 0;
  Write last_write_ = {};
  std::uint64_t memory_ = 0;                // a digest of all that was changed since the launch
  std::unordered_set<std::uint64_t> seen_;  // states of memory, with places that threads looked at
};

extern Progress progress;

// The end of a launch that hangs. Its threads run on for one turn each and are watched, so that the
// report names the loop of each and not the line where it happens to be. Then the launch is
// abandoned.
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
