#pragma once
// The allocator of an engine that keeps each request's keys and values in one piece: a binary buddy
// allocator. A piece has a power of two of slots and begins at a multiple of its size; it is made
// by halving a larger one, and two free halves of one piece become that piece again.

#include <bit>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

namespace kv::replay {

class BuddyAllocator {
 public:
  explicit BuddyAllocator(std::size_t num_slots) : free_(std::bit_width(num_slots)) {
    std::size_t first =
        0;  // the largest pieces come first, so each begins at a multiple of its size
    for (std::size_t order = free_.size(); order-- > 0;) {
      const std::size_t size = std::size_t{1} << order;
      if ((num_slots & size) == 0) continue;
      free_[order].insert(first);
      first += size;
    }
  }

  // The first slot of a piece of at least num_slots (not 0), the lowest of the smallest that is
  // large enough; nullopt if there is none.
  std::optional<std::size_t> allocate(std::size_t num_slots) {
    const std::size_t wanted = order_of(num_slots);
    std::size_t order = wanted;
    while (order < free_.size() && free_[order].empty()) ++order;
    if (order >= free_.size()) return std::nullopt;
    const std::size_t first = *free_[order].begin();
    free_[order].erase(free_[order].begin());
    while (order > wanted) {
      --order;
      free_[order].insert(first + (std::size_t{1} << order));
    }
    return first;
  }

  // num_slots: as it was allocated.
  void free(std::size_t first, std::size_t num_slots) {
    std::size_t order = order_of(num_slots);
    while (free_[order].erase(first ^ (std::size_t{1} << order)) > 0) {
      first &= ~(std::size_t{1} << order);
      ++order;
    }
    free_[order].insert(first);
  }

 private:
  static std::size_t order_of(std::size_t num_slots) {
    return static_cast<std::size_t>(std::bit_width(num_slots - 1));
  }

  std::vector<std::set<std::size_t>> free_;  // [order]: where free pieces of 2^order slots begin
};

}  // namespace kv::replay
