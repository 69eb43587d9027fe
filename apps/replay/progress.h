#pragma once
// Work on several cores, and what a long replay shows while it runs: a bar on a terminal. And an
// end for code that does not come back: a call takes microseconds, so ten seconds without a request
// that ends are a loop.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace kv::replay {

class Progress {
 public:
  // what: "hit rates". num_steps: how often step() will be called.
  Progress(std::string what, std::size_t num_steps);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // A request is done. From any thread.
  void step() { done_.fetch_add(1, std::memory_order_relaxed); }

 private:
  void watch();
  void draw(std::size_t done) const;

  std::string what_;
  std::size_t num_steps_;
  bool is_terminal_;
  std::atomic<std::size_t> done_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_over_ = false;
  std::thread watcher_;  // the last member: it reads the others
};

// Calls work(0) to work(count - 1), num_threads at a time, started in this order. The first
// exception is thrown again when all threads have ended.
template <class Work>
void in_parallel(std::size_t count, std::size_t num_threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr thrown;
  std::mutex one_exception;
  const auto run_next = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      const std::lock_guard guard(one_exception);
      if (!thrown) thrown = std::current_exception();
    }
  };
  if (num_threads <= 1 || count <= 1) {
    run_next();
  } else {
    std::vector<std::thread> workers;
    while (workers.size() < std::min(num_threads, count)) workers.emplace_back(run_next);
    for (std::thread& worker : workers) worker.join();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace kv::replay
