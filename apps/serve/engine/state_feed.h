#pragma once
// The newest state of an engine, for pages that watch it. The engine never waits for a page: one
// that is slow misses states, and gets the newest one next.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>

#include "apps/serve/engine/engine_state.h"

namespace kv::serve {

class StateFeed {
 public:
  static constexpr std::size_t kMostReaders = 8;  // each has a thread of the server

  class Reader {
   public:
    explicit Reader(StateFeed& feed) : feed_(feed) {}
    ~Reader() { feed_.remove_reader(); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    // The newest state, if it is not the one that this gave last; waits for it, at most so long.
    // Null: there is none.
    std::shared_ptr<const EngineState> take(std::chrono::milliseconds patience);
    bool is_closed() const;

   private:
    StateFeed& feed_;
    std::shared_ptr<const EngineState> last_ = {};
  };

  // readers_changed: called when there is one more or one less, by any thread.
  explicit StateFeed(std::function<void()> readers_changed)
      : readers_changed_(std::move(readers_changed)) {}

  // Null: there are kMostReaders.
  std::unique_ptr<Reader> add_reader();
  std::size_t num_readers() const;

  // Called by the engine's thread. outputs: as for add_history. Without a reader nothing is copied,
  // and what was published is forgotten.
  void publish(EngineRun& run,
               const std::vector<EngineCoreOutput>& outputs,
               const Pace& pace,
               std::size_t pool_number);
  void close();  // the engine has stopped

 private:
  void remove_reader();

  std::function<void()> readers_changed_;
  mutable std::mutex mutex_ = {};  // guards what follows
  std::condition_variable has_news_ = {};
  std::shared_ptr<const EngineState> newest_ = {};
  std::size_t num_readers_ = 0;
  bool is_closed_ = false;
};

}  // namespace kv::serve
