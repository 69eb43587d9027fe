#include "03-block-hashing/prefix_table.h"

#include <algorithm>

#include "kv/todo.h"

namespace kv {

bool is_same(const BlockContent& left, const BlockContent& right) {
  KV_TODO("3.7 is_same");
}

std::optional<PrefixId> PrefixTable::find(BlockHash hash, const BlockContent& content) const {
  KV_TODO("3.8 PrefixTable::find");
}

PrefixId PrefixTable::intern(BlockHash hash, const BlockContent& content) {
  KV_TODO("3.9 PrefixTable::intern");
}

void PrefixTable::release(PrefixId prefix) {
  KV_TODO("3.10 PrefixTable::release");
}

}  // namespace kv
