#pragma once
// Work on several cores.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace kv::replay {

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
