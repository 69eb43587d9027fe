#include "base/process/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace kv::grader {

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
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
  std::vector<std::thread> workers;
  while (workers.size() < std::max(1u, std::thread::hardware_concurrency())) {
    workers.emplace_back(run_next);
  }
  for (std::thread& worker : workers) worker.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace kv::grader
