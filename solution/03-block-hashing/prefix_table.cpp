#include "03-block-hashing/prefix_table.h"

#include <algorithm>

#include "kv/todo.h"

namespace kv {

bool PrefixTable::is_same(const Node& node, const Block& block) const {
  return node.parent == block.parent && std::ranges::equal(node.token_ids, block.token_ids) &&
         node.extra_keys == block.extra_keys;
}

std::optional<PrefixId> PrefixTable::find(const Block& block) const {
  const auto [first, last] = index_.equal_range(block.hash);
  const auto found = std::find_if(
      first, last, [&](const auto& entry) { return is_same(nodes_[entry.second], block); });
  if (found == last) return std::nullopt;
  return found->second;
}

PrefixId PrefixTable::intern(const Block& block) {
  if (const auto prefix = find(block)) {
    ++nodes_[*prefix].num_holders;
    return *prefix;
  }
  if (unused_.empty()) {
    unused_.push_back(nodes_.size());
    nodes_.emplace_back();
  }
  const PrefixId prefix = unused_.back();
  unused_.pop_back();
  nodes_[prefix] = {block.parent,
                    block.hash,
                    1,
                    {block.token_ids.begin(), block.token_ids.end()},
                    block.extra_keys};
  if (block.parent) ++nodes_[*block.parent].num_holders;
  index_.emplace(block.hash, prefix);
  return prefix;
}

void PrefixTable::release(PrefixId prefix) {
  for (std::optional<PrefixId> held = prefix; held;) {
    Node& node = nodes_[*held];
    if (--node.num_holders > 0) return;
    auto entry = index_.find(node.hash);
    while (entry->second != *held) ++entry;
    index_.erase(entry);
    unused_.push_back(*held);
    held = node.parent;  // it has lost a child
  }
}

}  // namespace kv
