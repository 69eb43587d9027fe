#include "03-block-hashing/prefix_table.h"

#include <algorithm>

namespace kv {

bool is_same(const BlockContent& left, const BlockContent& right) {
  if (left.parent != right.parent || left.extra_keys != right.extra_keys) return false;
  return std::ranges::equal(left.token_ids, right.token_ids);
}

std::optional<PrefixId> PrefixTable::find(BlockHash, const BlockContent& content) const {
  const Node& parent = content.parent ? *nodes_.at(*content.parent) : root_;
  const auto child = parent.children.find(content);
  if (child == parent.children.end()) return std::nullopt;
  return child->second->prefix;
}

PrefixId PrefixTable::intern(BlockHash, const BlockContent& content) {
  Node& parent = content.parent ? *nodes_.at(*content.parent) : root_;
  const auto [place, is_new] = parent.children.try_emplace(own_part(content));
  std::unique_ptr<Node>& child = place->second;
  if (is_new) {
    child =
        std::make_unique<Node>(Node{.prefix = next_prefix_++, .parent = &parent, .place = place});
    nodes_[child->prefix] = child.get();
  }
  ++child->num_holders;
  return child->prefix;
}

// A node with children stays, however few blocks hold it.
void PrefixTable::release(PrefixId prefix) {
  Node* node = nodes_.at(prefix);
  --node->num_holders;
  while (node != &root_ && node->num_holders == 0 && node->children.empty()) {
    Node* parent = node->parent;
    nodes_.erase(node->prefix);
    parent->children.erase(node->place);
    node = parent;
  }
}

}  // namespace kv
