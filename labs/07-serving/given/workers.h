#pragma once
// Threads that compute the parts of one task after the other.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace kv {

class Workers {
 public:
  // num_threads counts the thread that calls run: with 1, no thread is started. If the system gives
  // fewer threads, there are fewer.
  explicit Workers(std::size_t num_threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  std::size_t num_threads() const { return threads_.size() + 1; }

  // Calls work(part) for each part below num_threads(), each on its own thread, and returns when
  // all are done. An exception that ended a part is thrown again then.
  // Requires: one call at a time.
  void run(const std::function<void(std::size_t part)>& work);

 private:
  void serve(std::size_t part);
  void do_part(std::size_t part);

  const std::function<void(std::size_t part)>* work_ = nullptr;  // null: the threads end
  std::atomic<std::uint32_t> round_ = 0;                         // tasks that were handed out
  std::atomic<std::uint32_t> num_busy_ = 0;  // threads that have not ended their part
  std::vector<std::exception_ptr> thrown_;   // [part]
  std::vector<std::thread> threads_;
};

}  // namespace kv
