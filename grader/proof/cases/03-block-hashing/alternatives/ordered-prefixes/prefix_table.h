#pragma once
// No hash at all: an ordered map from the content itself.

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "03-block-hashing/request.h"
#include "kv/types.h"

namespace kv {

bool is_same(const BlockContent& left, const BlockContent& right);

class PrefixTable {
 public:
  explicit PrefixTable(std::size_t block_size) { static_cast<void>(block_size); }
  std::optional<PrefixId> find(BlockHash hash, const BlockContent& content) const;
  PrefixId intern(BlockHash hash, const BlockContent& content);
  void release(PrefixId prefix);
  std::size_t size() const { return entries_.size(); }

 private:
  struct Key {
    std::optional<PrefixId> parent;
    std::vector<TokenId> token_ids;
    ExtraKeys extra_keys;
  };
  // Why transparent: a lookup then needs no key of its own, and allocates nothing.
  struct Before {
    using is_transparent = void;
    bool operator()(const auto& left, const auto& right) const {
      if (left.parent != right.parent) return left.parent < right.parent;
      if (!std::ranges::equal(left.token_ids, right.token_ids)) {
        return std::ranges::lexicographical_compare(left.token_ids, right.token_ids);
      }
      return left.extra_keys < right.extra_keys;
    }
  };
  struct Entry {
    PrefixId prefix;
    std::size_t num_holders;
  };

  static Key key_of(const BlockContent& content) {
    return {
        content.parent, {content.token_ids.begin(), content.token_ids.end()}, content.extra_keys};
  }

  std::map<Key, Entry, Before> entries_;
  std::map<PrefixId, Key> keys_;
  PrefixId next_prefix_ = 1;
};

}  // namespace kv
