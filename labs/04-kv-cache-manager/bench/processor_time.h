#pragma once
// Time that this thread has used. Why not the clock: it goes on while the machine does something
// else, and several capacities are replayed at the same time.

#include <ctime>

namespace kv::replay {

inline double seconds_on(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

class ThreadTimer {
 public:
  double seconds() const { return seconds_on(CLOCK_THREAD_CPUTIME_ID) - start_; }

 private:
  double start_ = seconds_on(CLOCK_THREAD_CPUTIME_ID);
};

}  // namespace kv::replay
