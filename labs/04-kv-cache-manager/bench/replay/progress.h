#pragma once
// What a long replay shows while it runs: a bar on a terminal. And an end for code that does not
// come back: a call takes microseconds, so ten seconds without a request that ends are a loop.

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

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

}  // namespace kv::replay
