#pragma once
// Given to the optimized kernel: a parallel loop.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace kv {

// Calls work(0) to work(num_items - 1), each once, on num_threads threads, or on as many as the
// system gives, and returns when all are done. An exception that ended a thread is thrown again
// after that.
template <class Work>
void parallel_for(std::size_t num_threads, std::size_t num_items, Work work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::exception_ptr> thrown(
      std::max<std::size_t>(1, std::min(num_threads, num_items)));
  const auto take_items = [&](std::exception_ptr& what) {
    try {
      for (std::size_t item = next++; item < num_items; item = next++) work(item);
    } catch (...) {
      what = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 1; i < thrown.size(); ++i)
      threads.emplace_back(take_items, std::ref(thrown[i]));
  } catch (const std::exception&) {
    // No more threads, or no memory for one: the threads that run take all items.
  }
  take_items(thrown[0]);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& what : thrown) {
    if (what) std::rethrow_exception(what);
  }
}

}  // namespace kv
