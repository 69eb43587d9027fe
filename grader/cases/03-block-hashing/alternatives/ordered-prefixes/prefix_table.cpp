#include "03-block-hashing/prefix_table.h"

namespace kv {

std::optional<PrefixId> PrefixTable::find(const Block& block) const {
  const auto found = entries_.find(key_of(block));
  return found == entries_.end() ? std::nullopt : std::optional(found->second.prefix);
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
  const auto [entry, is_new] = entries_.try_emplace(key_of(block), Entry{next_prefix_, 0});
  ++entry->second.num_holders;
  if (!is_new) return entry->second.prefix;
  keys_[next_prefix_] = entry->first;
  if (block.parent) ++entries_.at(keys_.at(*block.parent)).num_holders;
  return next_prefix_++;
}

void PrefixTable::release(PrefixId prefix) {
  const Key key = keys_.at(prefix);
  if (--entries_.at(key).num_holders > 0) return;
  entries_.erase(key);
  keys_.erase(prefix);
  if (const auto parent = std::get<0>(key)) release(*parent);
}

}  // namespace kv
