#include "07-serving/given/workers.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace kv {
namespace {

// Why it looks often before it sleeps: the next task comes after some microseconds, and to wake up
// takes longer. Why it yields: where there are more threads than processors, somebody else has to
// compute what it waits for.
void wait_while(const std::atomic<std::uint32_t>& number, std::uint32_t old) {
  constexpr int kLooks = 2000;
  for (int look = 0; look < kLooks; ++look) {
    if (number.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  number.wait(old, std::memory_order_acquire);
}

// A thread that is begun meanwhile gets no signal: they are for the threads of the program.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

Workers::Workers(std::size_t num_threads) : thrown_(std::max<std::size_t>(num_threads, 1)) {
  const AllSignalsBlocked blocked;
  try {
    for (std::size_t part = 1; part < num_threads; ++part)
      threads_.emplace_back([this, part] { serve(part); });
  } catch (const std::exception&) {
    // No more threads, or no memory for one: those that run take all parts.
  }
}

Workers::~Workers() {
  work_ = nullptr;
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(const std::function<void(std::size_t part)>& work) {
  work_ = &work;
  num_busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();

  do_part(0);
  while (const std::uint32_t num_busy = num_busy_.load(std::memory_order_acquire))
    wait_while(num_busy_, num_busy);

  for (std::exception_ptr& thrown : thrown_) {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  }
}

void Workers::serve(std::size_t part) {
  for (std::uint32_t round = 0;; ++round) {
    wait_while(round_, round);
    if (work_ == nullptr) return;

    do_part(part);
    num_busy_.fetch_sub(1, std::memory_order_release);
    num_busy_.notify_one();
  }
}

void Workers::do_part(std::size_t part) {
  try {
    (*work_)(part);
  } catch (...) {
    thrown_[part] = std::current_exception();
  }
}

}  // namespace kv
