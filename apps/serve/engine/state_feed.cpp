#include "apps/serve/engine/state_feed.h"

namespace kv::serve {

std::shared_ptr<const EngineState> StateFeed::Reader::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(feed_.mutex_);
  const auto is_new = [&] { return feed_.newest_ && feed_.newest_ != last_; };
  feed_.has_news_.wait_for(lock, patience, [&] { return is_new() || feed_.is_closed_; });
  return is_new() ? last_ = feed_.newest_ : nullptr;
}

bool StateFeed::Reader::is_closed() const {
  const std::lock_guard guard(feed_.mutex_);
  return feed_.is_closed_;
}

std::unique_ptr<StateFeed::Reader> StateFeed::add_reader() {
  {
    const std::lock_guard guard(mutex_);
    if (num_readers_ == kMostReaders) return nullptr;
    ++num_readers_;
  }
  auto reader = std::make_unique<Reader>(*this);
  readers_changed_();
  return reader;
}

void StateFeed::remove_reader() {
  {
    const std::lock_guard guard(mutex_);
    --num_readers_;
  }
  readers_changed_();
}

std::size_t StateFeed::num_readers() const {
  const std::lock_guard guard(mutex_);
  return num_readers_;
}

void StateFeed::publish(EngineRun& run,
                        const std::vector<EngineCoreOutput>& outputs,
                        const Pace& pace,
                        std::size_t pool_number) {
  std::shared_ptr<const EngineState> earlier;
  {
    const std::lock_guard guard(mutex_);
    if (num_readers_ == 0) return newest_.reset();
    earlier = newest_;
  }
  auto state = std::make_shared<EngineState>(state_of(run));
  state->pace = pace;
  state->pool_number = pool_number;
  const bool is_first = !earlier || earlier->pool_number != pool_number;
  add_history(*state, is_first ? EngineState() : *earlier, outputs);

  const std::lock_guard guard(mutex_);
  newest_ = std::move(state);
  has_news_.notify_all();
}

void StateFeed::close() {
  const std::lock_guard guard(mutex_);
  is_closed_ = true;
  has_news_.notify_all();
}

}  // namespace kv::serve
