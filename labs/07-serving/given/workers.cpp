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

Workers::Workers(std::size_t num_threads) : thrown_(std::max<std::size_t>(num_threads, 1)) {
  const SignalsBlocked blocked;
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
  if (threads_.empty()) return work(0);

  work_ = &work;
  num_busy_.store(static_cast<std::uint32_t>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();

  do_part(0);
  while (const std::uint32_t num_busy = num_busy_.load(std::memory_order_acquire))
    wait_while(num_busy_, num_busy);

  std::exception_ptr first;
  for (std::exception_ptr& thrown : thrown_) {
    const std::exception_ptr forgotten = std::exchange(thrown, nullptr);
    if (!first) first = forgotten;
  }
  if (first) std::rethrow_exception(first);
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
