#include "03-block-hashing/prefix_table.h"

#include <algorithm>

namespace kv {

std::optional<PrefixId> PrefixTable::find(const Block& block) const {
  const Node& parent = block.parent ? *nodes_.at(*block.parent) : root_;
  const auto child = parent.children.find(own_part(block));
  if (child == parent.children.end()) return std::nullopt;
  return child->second->prefix;
}

std::vector<PrefixId> PrefixTable::find_chain(const Request& request,
                                              std::size_t num_blocks) const {
  std::vector<PrefixId> prefixes;
  std::optional<PrefixId> prefix;
  for (std::size_t i = 0; i < num_blocks; ++i) {
    prefix = find(block_of(request, i, prefix));
    if (!prefix) break;
    prefixes.push_back(*prefix);
  }
  return prefixes;
}

PrefixId PrefixTable::intern(const Block& block) {
  Node& parent = parent_of(block);
  std::unique_ptr<Node>& child = parent.children[own_part(block)];
  if (!child) {
    child = std::make_unique<Node>(Node{.prefix = next_prefix_++, .parent = &parent});
    nodes_[child->prefix] = child.get();
  }
  ++child->num_holders;
  return child->prefix;
}

// A node with children stays, whoever holds it.
void PrefixTable::release(PrefixId prefix) {
  Node* node = nodes_.at(prefix);
  --node->num_holders;
  while (node != &root_ && node->num_holders == 0 && node->children.empty()) {
    Node* parent = node->parent;
    nodes_.erase(node->prefix);
    std::erase_if(parent->children, [&](const auto& child) { return child.second.get() == node; });
    node = parent;
  }
}

}  // namespace kv
