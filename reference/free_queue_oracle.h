#pragma once
// The oracle of the free queue: a list of ids. Slow, and easy to check by reading.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace kv::oracle {

class FreeQueueOracle {
 public:
  explicit FreeQueueOracle(std::size_t num_blocks) {
    for (std::size_t id = 0; id < num_blocks; ++id) append(static_cast<std::int32_t>(id));
  }

  std::size_t num_free_blocks() const { return ids_.size(); }
  std::vector<std::int32_t> free_ids() const { return {ids_.begin(), ids_.end()}; }
  bool contains(std::int32_t id) const { return std::ranges::count(ids_, id) > 0; }

  void append(std::int32_t id) { ids_.push_back(id); }
  void prepend(std::int32_t id) { ids_.push_front(id); }
  void remove(std::int32_t id) { std::erase(ids_, id); }

  std::optional<std::int32_t> popleft() {
    if (ids_.empty()) return std::nullopt;
    const std::int32_t id = ids_.front();
    ids_.pop_front();
    return id;
  }

 private:
  std::deque<std::int32_t> ids_;
};

}  // namespace kv::oracle
