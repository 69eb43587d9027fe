#include "03-block-hashing/prefix_table.h"

#include <algorithm>

namespace kv {

bool is_same(const BlockContent& left, const BlockContent& right) {
  return std::ranges::equal(left.token_ids, right.token_ids) &&
         std::ranges::equal(left.extra_keys, right.extra_keys) && left.parent == right.parent;
}

std::optional<PrefixId> PrefixTable::find(BlockHash, const BlockContent& content) const {
  const auto found = entries_.find(content);
  return found == entries_.end() ? std::nullopt : std::optional(found->second.prefix);
}

PrefixId PrefixTable::intern(BlockHash, const BlockContent& content) {
  const auto [entry, is_new] = entries_.try_emplace(key_of(content), Entry{next_prefix_, 0});
  ++entry->second.num_holders;
  if (!is_new) return entry->second.prefix;
  keys_[next_prefix_] = entry->first;
  if (content.parent) ++entries_.at(keys_.at(*content.parent)).num_holders;
  return next_prefix_++;
}

void PrefixTable::release(PrefixId prefix) {
  for (std::optional<PrefixId> next = prefix; next;) {
    const Key key = keys_.at(*next);
    if (--entries_.at(key).num_holders > 0) return;
    entries_.erase(key);
    keys_.erase(*next);
    next = key.parent;
  }
}

}  // namespace kv
