#include "03-block-hashing/prefix_table.h"

#include <algorithm>

#include "kv/todo.h"

namespace kv {

bool is_same(const BlockContent& left, const BlockContent& right) {
  return left.parent == right.parent && std::ranges::equal(left.token_ids, right.token_ids) &&
         left.extra_keys == right.extra_keys;
}

std::optional<PrefixId> PrefixTable::find(BlockHash hash, const BlockContent& content) const {
  return store_.find(hash, [&](const BlockContent& held) { return is_same(held, content); });
}

PrefixId PrefixTable::intern(BlockHash hash, const BlockContent& content) {
  std::optional<PrefixId> prefix = find(hash, content);
  if (!prefix) {
    prefix = store_.add(hash, content);
    if (content.parent) ++store_.num_holders(*content.parent);
  }
  ++store_.num_holders(*prefix);
  return *prefix;
}

void PrefixTable::release(PrefixId prefix) {
  std::optional<PrefixId> next = prefix;
  while (next && --store_.num_holders(*next) == 0) {
    const PrefixId unheld = *next;
    next = store_.parent(unheld);
    store_.erase(unheld);
  }
}

}  // namespace kv
