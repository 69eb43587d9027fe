#pragma once
// Two calls at one time, in the same way in every run: one is stopped where it first reads a page,
// until the other one, on a thread of its own, has run from its beginning to its end.

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <future>

#include "05-paged-attention/tests/page_trap.h"
#include "grader/harness/expectations.h"

namespace kv::grader {

class InterruptedPages : PageTrap {
 public:
  explicit InterruptedPages(std::size_t num_pages) : PageTrap(num_pages) {}

  using PageTrap::numbers;
  using PageTrap::page_size;

  template <class Stopped, class Other>
  void stop_at(std::size_t page, Stopped stopped, Other other) {
    state_ = kRunning;
    std::future<void> thread = std::async(std::launch::async, [&] {
      while (state_ == kRunning) ::sched_yield();
      if (advance(kStopped, kOtherRuns)) other();
      state_ = kOver;
    });
    const AtEnd at_end(state_);
    protect(page, 1, PROT_NONE);
    trap(stopped);
    EXPECT_HOLDS(state_ != kRunning) << "tile " << page << " has not been read";
    state_ = kOver;
    thread.get();
  }

 private:
  enum State { kRunning, kStopped, kOtherRuns, kOver };

  // Why a destructor: if the call throws, the other one must not wait for it.
  class AtEnd {
   public:
    explicit AtEnd(std::atomic<State>& state) : state_(state) {}
    ~AtEnd() { state_ = kOver; }

   private:
    std::atomic<State>& state_;
  };

  // Waits for the other call to begin, however long a busy machine takes to run its thread. Why not
  // to end, too: calls may wait for each other.
  void read_of(std::size_t page) override {
    advance(kRunning, kStopped);
    while (state_ == kStopped) ::sched_yield();
    for (int i = 0; i < 100'000 && state_ == kOtherRuns; ++i) ::sched_yield();
    protect(page, 1, PROT_READ | PROT_WRITE);
  }

  // False, and nothing changes, if the state is another one: two threads can read one closed page.
  bool advance(State from, State to) { return state_.compare_exchange_strong(from, to); }

  std::atomic<State> state_ = kRunning;
};

}  // namespace kv::grader
