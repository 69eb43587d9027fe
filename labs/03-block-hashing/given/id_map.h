#pragma once
// Given: find, insert and erase as in std::unordered_map, for keys that are ids. Ids are given out
// from 1 on, and again when they are free, so most entries are in an array, at the place of their
// id: one load finds them. Any other number is a key, too, but its entry is hashed.
//
//       near_   | - | 1 | 2 | - | 4 | - | - | - |      far_   { 70000 }

#include <bit>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "03-block-hashing/given/huge_page_vector.h"
#include "kv/types.h"

namespace kv {

// Value: small, and never equal to Value{}, which marks a free place. An iterator is good until the
// next insert, or until its entry is erased. There is no begin(): nobody needs an order.
template <class Value>
class IdMap {
 public:
  using value_type = std::pair<const PrefixId, Value>;
  using iterator = value_type*;
  using const_iterator = const value_type*;

  // The entry of an id; end() if there is none.                                     O(1) expected
  const_iterator find(PrefixId id) const {
    if (is_near(id)) return near_[id].second == Value{} ? end() : &near_[id];
    const auto found = far_.find(id);
    return found == far_.end() ? end() : &*found;
  }
  iterator find(PrefixId id) { return const_cast<iterator>(std::as_const(*this).find(id)); }
  static constexpr iterator end() { return nullptr; }

  // Adds an entry unless its id has one: the entry of the id, and whether it is the new one.
  // O(1) expected, amortized.
  std::pair<iterator, bool> insert(const value_type& entry) {
    const iterator found = find(entry.first);
    if (found != end()) return {found, false};
    if (entry.first < kPlacesForEntry * (size_ + 1)) bring_near(entry.first);
    const iterator added = is_near(entry.first) ? &near_[entry.first] : &*far_.insert(entry).first;
    added->second = entry.second;
    ++size_;
    return {added, true};
  }

  // Takes out an entry, by the iterator to it.                                      O(1) expected
  void erase(iterator entry) {
    --size_;
    if (!is_near(entry->first))
      far_.erase(entry->first);
    else
      entry->second = Value{};
  }

  // Takes out the entry of an id, if there is one: 1, otherwise 0.                  O(1) expected
  std::size_t erase(PrefixId id) {
    const iterator found = find(id);
    if (found == end()) return 0;
    erase(found);
    return 1;
  }

  std::size_t size() const { return size_; }
  void clear() { *this = {}; }

  // Asks for the memory that find will read, and does not wait for it.
  void prefetch(PrefixId id) const {
    if (is_near(id)) prefetch_line(&near_[id]);
  }

 private:
  static constexpr std::size_t kPlacesForEntry = 4;  // more, and the array would be mostly empty

  bool is_near(PrefixId id) const { return id < near_.size(); }

  // Makes the array long enough for an id.
  void bring_near(PrefixId id) {
    if (is_near(id)) return;
    near_.reserve(std::bit_ceil(id + 1));
    while (near_.size() < near_.capacity()) near_.emplace_back(near_.size(), Value{});
    std::erase_if(far_, [this](const value_type& entry) {
      if (is_near(entry.first)) near_[entry.first].second = entry.second;
      return is_near(entry.first);
    });
  }

  HugePageVector<value_type> near_;  // [id], each with its id
  std::unordered_map<PrefixId, Value> far_;
  std::size_t size_ = 0;
};

}  // namespace kv
