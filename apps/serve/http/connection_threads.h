#pragma once
// A thread for each connection, for as long as the connection is open.

#include <httplib.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace kv::serve {

// Why not the library's own queue: it has a fixed number of threads, and connections that wait for
// their next call can take all of them.
class ConnectionThreads : public httplib::TaskQueue {
  // Nothing in old versions of the library, bool in newer ones.
  using Accepted = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));

 public:
  // Waits while there are as many connections as can be, and while the machine has no more threads.
  Accepted enqueue(std::function<void()> serve) override {
    std::unique_lock lock(mutex_);
    has_ended_.wait(lock, [&] { return num_open_ < kMostConnections; });
    while (!has_thread_for(serve)) has_ended_.wait_for(lock, kBetweenTries);
    ++num_open_;
    return Accepted(true);
  }

  void shutdown() override {
    std::unique_lock lock(mutex_);
    has_ended_.wait(lock, [&] { return num_open_ == 0; });
  }

  // Then a connection that is kept for its next call could keep a new one waiting.
  bool are_many() {
    const std::lock_guard guard(mutex_);
    return num_open_ > kMostConnections / 2;
  }

 private:
  static constexpr std::size_t kMostConnections = 512;
  static constexpr std::chrono::milliseconds kBetweenTries{50};

  bool has_thread_for(const std::function<void()>& serve) {
    try {
      std::thread([this, serve] {
        serve();
        const std::lock_guard guard(mutex_);
        --num_open_;
        has_ended_.notify_all();
      }).detach();
      return true;
    } catch (const std::system_error&) {
      return false;
    }
  }

  std::mutex mutex_ = {};
  std::condition_variable has_ended_ = {};
  std::size_t num_open_ = 0;
};

}  // namespace kv::serve
