#include "07-serving/given/workers.h"

#include <algorithm>
#include <csignal>
#include <utility>

namespace kv {
namespace {

// Why it looks often before it sleeps: the next task comes after some microseconds, and to wake up
// takes longer. Why it yields: where there are more threads than processors, another thread has to
// compute what it waits for.
void wait_while(const std::atomic<std::uint32_t>& number, std::uint32_t old) {
  constexpr int kLooks = 2000;
  for (int look = 0; look < kLooks; ++look) {
    if (number.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  number.wait(old, std::memory_order_acquire);
}

// Threads that are started while this is there get no signals from outside: these are for the
// program's own threads. A fault of their own still has its handler.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t blocked;
    ::sigfillset(&blocked);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
      ::sigdelset(&blocked, fault);
    ::pthread_sigmask(SIG_SETMASK, &blocked, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

Workers::Workers(std::size_t num_threads) {
  const SignalsBlocked blocked;
  try {
    while (this->num_threads() < num_threads) threads_.emplace_back([this] { serve(); });
  } catch (const std::exception&) {
    // No more threads, or no memory for one: those that run take all parts.
  }
}

Workers::~Workers() {
  is_over_.store(true, std::memory_order_relaxed);
  num_wakeups_.fetch_add(1, std::memory_order_release);
  num_wakeups_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(std::size_t num_parts, const std::function<void(std::size_t part)>& work) {
  work_ = &work;
  thrown_.assign(num_parts, nullptr);
  num_undone_.store(static_cast<std::uint32_t>(num_parts), std::memory_order_relaxed);
  num_untaken_.store(static_cast<std::uint32_t>(num_parts), std::memory_order_release);
  num_wakeups_.fetch_add(1, std::memory_order_release);
  num_wakeups_.notify_all();

  do_parts();
  while (const std::uint32_t num_undone = num_undone_.load(std::memory_order_acquire))
    wait_while(num_undone_, num_undone);

  const std::vector<std::exception_ptr> all_thrown = std::exchange(thrown_, {});
  for (const std::exception_ptr& thrown : all_thrown)
    if (thrown) std::rethrow_exception(thrown);
}

void Workers::serve() {
  for (std::uint32_t num_seen = 0; !is_over_.load(std::memory_order_relaxed);) {
    do_parts();
    wait_while(num_wakeups_, num_seen);
    num_seen = num_wakeups_.load(std::memory_order_acquire);
  }
}

// Why work_ is that of the part, even when a thread comes late: a task does not end, and so the
// next one does not begin, before each part that was taken has ended.
void Workers::do_parts() {
  std::uint32_t num_untaken = num_untaken_.load(std::memory_order_acquire);
  while (num_untaken > 0) {
    if (!num_untaken_.compare_exchange_weak(num_untaken, num_untaken - 1, std::memory_order_acq_rel,
                                            std::memory_order_acquire))
      continue;
    do_part(num_untaken - 1);
    if (num_undone_.fetch_sub(1, std::memory_order_acq_rel) == 1) num_undone_.notify_one();
    num_untaken = num_untaken_.load(std::memory_order_acquire);
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
