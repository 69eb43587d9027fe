#pragma once
// Given: find, insert and erase as in std::unordered_map, with all entries in one array. The key
// decides where an entry belongs; if that place is taken, the entry is in the next free one.
//
//       places_   | - | a | b | c | - |    a, b and c all belong at a's place. To find c, pass a
//                       ^                  and b. When a is erased, b and c move up: a gap would
//                      home                end the next search too early.
//
// std::unordered_map follows two or three pointers to an entry; here it costs one line of memory.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "03-block-hashing/given/huge_page_vector.h"

namespace kv {

// Key: an unsigned integer. Value: small, and never equal to Value{}, which marks a free place.
// An iterator is good until the next insert or erase. There is no begin(): nobody needs an order.
template <class Key, class Value>
class FlatHashMap {
 public:
  struct value_type {
    Key first = 0;
    Value second = {};
  };
  using iterator = value_type*;
  using const_iterator = const value_type*;

  // The entry of a key; end() if there is none.                                     O(1) expected
  const_iterator find(Key key) const {
    return find_if(key, [](const Value&) { return true; });
  }
  iterator find(Key key) { return const_cast<iterator>(std::as_const(*this).find(key)); }
  static constexpr iterator end() { return nullptr; }

  // Adds an entry unless its key has one: the entry of the key, and whether it is the new one.
  // O(1) expected.
  std::pair<iterator, bool> insert(const value_type& entry) {
    const iterator found = find(entry.first);
    return found == end() ? std::pair(add(entry), true) : std::pair(found, false);
  }

  // As in a multimap: several entries may have one key, and is_it(value) chooses.   O(1) expected
  template <class Predicate>
  const_iterator find_if(Key key, Predicate is_it) const {
    for (std::size_t i = home(key); !is_free(i); i = after(i))
      if (places_[i].first == key && is_it(places_[i].second)) return &places_[i];
    return end();
  }
  iterator add(const value_type& entry) {
    if (2 * ++size_ > places_.size()) grow();
    return put(entry);
  }

  // Takes out an entry, by the iterator to it.                                      O(1) expected
  void erase(const_iterator entry) {
    auto gap = static_cast<std::size_t>(entry - places_.data());
    for (std::size_t i = after(gap); !is_free(i); i = after(i)) {
      if (steps(home(places_[i].first), i) < steps(gap, i)) continue;  // its home is behind the gap
      places_[gap] = places_[i];
      gap = i;
    }
    places_[gap] = {};
    --size_;
  }

  // Takes out the entry of a key, if there is one: 1, otherwise 0.                  O(1) expected
  std::size_t erase(Key key) {
    const iterator found = find(key);
    if (found == end()) return 0;
    erase(found);
    return 1;
  }

  std::size_t size() const { return size_; }
  void clear() { *this = {}; }

  // Asks for the memory that find will read first, and does not wait for it.
  void prefetch(Key key) const { __builtin_prefetch(&places_[home(key)]); }

 private:
  static constexpr std::size_t kInLine =
      HugePageAllocator<value_type>::kLineBytes / sizeof(value_type);

  bool is_free(std::size_t place) const { return places_[place].second == Value{}; }

  // Keys that follow each other, as ids do, share a line: 0 to 3, 4 to 7 and so on. The upper
  // bits of the product depend on all bits of their common part, so that the lines spread.
  std::size_t home(std::uint64_t key) const {
    return (key / kInLine * 0x9E3779B97F4A7C15 >> shift_) * kInLine + key % kInLine;
  }

  std::size_t after(std::size_t place) const { return (place + 1) & (places_.size() - 1); }

  std::size_t steps(std::size_t from, std::size_t to) const {
    return (to - from) & (places_.size() - 1);
  }

  iterator put(const value_type& entry) {
    std::size_t i = home(entry.first);
    while (!is_free(i)) i = after(i);
    places_[i] = entry;
    return &places_[i];
  }

  void grow() {
    const auto old = std::exchange(places_, HugePageVector<value_type>(2 * places_.size()));
    --shift_;
    for (const value_type& entry : old)
      if (!(entry.second == Value{})) put(entry);
  }

  // A power of 2 of them, at most half of them taken.
  HugePageVector<value_type> places_ = HugePageVector<value_type>(4 * kInLine);
  int shift_ = 62;  // 64 minus the bits of a line's number
  std::size_t size_ = 0;
};

}  // namespace kv
