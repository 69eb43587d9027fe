#pragma once
// Given: a hash table in one array. An entry has its home at the place that its hash says; if that
// is taken, it stands in the next free place behind it.
//
//       places_   | - | a | b | c | - |    a, b and c have their home at a's place. To find c,
//                       ^                  pass a and b. When a goes, b and c move up: a gap would
//                      home                end the next search too early.
//
// std::unordered_map follows two or three pointers to an entry; here it costs one cache line.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "03-block-hashing/given/large_array.h"

namespace kv {

// Entry: a small struct with a hash() to find it by, and is_empty(), true of Entry{} and no other.
// Pointers to entries are good until the next add or erase.
template <class Entry>
class OpenTable {
 public:
  // The first entry with this hash that `is_it` accepts; nullptr if there is none.   O(1) expected
  template <class Predicate>
  const Entry* find(std::uint64_t hash, Predicate is_it) const {
    for (std::size_t i = home(hash); !places_[i].is_empty(); i = after(i))
      if (is_it(places_[i])) return &places_[i];
    return nullptr;
  }

  template <class Predicate>
  Entry* find(std::uint64_t hash, Predicate is_it) {
    return const_cast<Entry*>(std::as_const(*this).find(hash, is_it));
  }

  // Entries may be equal in hash, or altogether.                                    O(1) expected
  void add(const Entry& entry) {
    if (2 * ++size_ > places_.size()) grow();
    put(entry);
  }

  // Takes out an entry that find has found.                                         O(1) expected
  void erase(const Entry* entry) {
    auto gap = static_cast<std::size_t>(entry - places_.data());
    for (std::size_t i = after(gap); !places_[i].is_empty(); i = after(i)) {
      if (steps(home(places_[i].hash()), i) < steps(gap, i))
        continue;  // its home is behind the gap
      places_[gap] = places_[i];
      gap = i;
    }
    places_[gap] = {};
    --size_;
  }

  std::size_t size() const { return size_; }
  void clear() { *this = {}; }

  // Asks for the memory that find will read first, and does not wait for it.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&places_[home(hash)]); }

 private:
  static constexpr std::size_t kInLine = PageAllocator<Entry>::kLineBytes / sizeof(Entry);

  // Hashes that follow each other, as ids do, share a line: 0 to 3, 4 to 7 and so on. The upper
  // bits of the product depend on all bits of their common part, so that the lines spread.
  std::size_t home(std::uint64_t hash) const {
    return (hash / kInLine * 0x9E3779B97F4A7C15 >> shift_) * kInLine + hash % kInLine;
  }

  std::size_t after(std::size_t place) const { return (place + 1) & (places_.size() - 1); }

  std::size_t steps(std::size_t from, std::size_t to) const {
    return (to - from) & (places_.size() - 1);
  }

  void put(const Entry& entry) {
    std::size_t i = home(entry.hash());
    while (!places_[i].is_empty()) i = after(i);
    places_[i] = entry;
  }

  void grow() {
    const auto old = std::exchange(places_, LargeArray<Entry>(2 * places_.size()));
    --shift_;
    for (const Entry& entry : old)
      if (!entry.is_empty()) put(entry);
  }

  // A power of 2 of them, at most half of them taken.
  LargeArray<Entry> places_ = LargeArray<Entry>(4 * kInLine);
  int shift_ = 62;  // 64 minus the bits of a line's number
  std::size_t size_ = 0;
};

}  // namespace kv
