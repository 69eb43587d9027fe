#include "03-block-hashing/prefix_table.h"

#include <algorithm>

#include "kv/todo.h"

namespace kv {

bool PrefixTable::is_same(const Node& node, const Block& block) const {
  return node.parent == block.parent && std::ranges::equal(node.token_ids, block.token_ids) &&
         node.extra_keys == block.extra_keys;
}

std::optional<PrefixId> PrefixTable::find(const Block& block) const {
  KV_TODO("3.7 PrefixTable::find");
}

PrefixId PrefixTable::intern(const Block& block) {
  KV_TODO("3.8 PrefixTable::intern");
}

void PrefixTable::release(PrefixId prefix) {
  KV_TODO("3.9 PrefixTable::release");
}

}  // namespace kv
