#pragma once
// Threads that share the parts of a task.

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

  // Calls work(part) for each part below num_parts, and returns when all are done. The threads take
  // one part after the other, and so does the caller: it never waits for a thread that has not
  // begun, as on a machine with other work. An exception that ended a part is thrown again then.
  // Requires: one call at a time, and less than 2^32 parts.
  void run(std::size_t num_parts, const std::function<void(std::size_t part)>& work);

 private:
  void serve();
  void do_parts();
  void do_part(std::size_t part);

  const std::function<void(std::size_t part)>* work_ = nullptr;
  std::atomic<std::uint32_t> num_untaken_ = 0;  // parts that no thread has begun
  std::atomic<std::uint32_t> num_undone_ = 0;   // parts that have not ended
  std::atomic<std::uint32_t> num_wakeups_ = 0;  // for each task, and for the end
  std::atomic<bool> is_over_ = false;
  std::vector<std::exception_ptr> thrown_;  // [part]
  std::vector<std::thread> threads_;
};

}  // namespace kv
