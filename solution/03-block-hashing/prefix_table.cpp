#include "03-block-hashing/prefix_table.h"

#include <algorithm>
#include <array>

#include "kv/todo.h"

namespace kv {
namespace {

constexpr std::size_t kLookAhead = 64;  // blocks whose memory is asked for at once

PrefixNodes::Id parent_of(const PrefixTable::Block& block) {
  return static_cast<PrefixNodes::Id>(block.parent.value_or(PrefixNodes::kRoot));
}

}  // namespace

// Why inline: find_chain asks it about every block of a prompt.
inline bool PrefixTable::is_same(const PrefixNodes::Entry& entry, const Block& block) const {
  return entry.parent == parent_of(block) &&
         std::ranges::equal(nodes_.token_ids(entry.id), block.token_ids) &&
         nodes_.has_extra_keys(entry, block.extra_keys);
}

std::vector<PrefixId> PrefixTable::find_chain(const Request& request,
                                              std::size_t num_blocks) const {
  std::vector<PrefixId> prefixes;
  prefixes.reserve(num_blocks);
  std::array<const PrefixNodes::Entry*, kLookAhead> candidates;
  for (std::size_t i = 0; i < num_blocks; ++i) {
    const std::size_t ahead = i % kLookAhead;
    if (ahead == 0) {
      const std::size_t num_ahead = std::min(kLookAhead, num_blocks - i);
      nodes_.look_ahead(std::span(request.block_hashes).subspan(i, num_ahead), candidates);
    }
    const auto* candidate = candidates[ahead];
    const auto parent = i == 0 ? std::nullopt : std::optional(prefixes.back());
    // Why made twice: find wants a block in memory, is_same is faster with one in registers.
    const bool is_it = candidate != nullptr && is_same(*candidate, block_of(request, i, parent));
    const auto prefix =
        is_it ? std::optional<PrefixId>(candidate->id) : find(block_of(request, i, parent));
    if (!prefix) break;
    prefixes.push_back(*prefix);
  }
  return prefixes;
}

std::optional<PrefixId> PrefixTable::find(const Block& block) const {
  const auto* entry = nodes_.find(
      block.hash, [&](const PrefixNodes::Entry& candidate) { return is_same(candidate, block); });
  if (entry == nullptr) return std::nullopt;
  return entry->id;
}

PrefixId PrefixTable::intern(const Block& block) {
  if (const auto prefix = find(block)) {
    ++nodes_[static_cast<PrefixNodes::Id>(*prefix)].num_holders;
    return *prefix;
  }
  ++nodes_[parent_of(block)].num_holders;
  return nodes_.add(parent_of(block), block.hash, block.token_ids, block.extra_keys);
}

void PrefixTable::release(PrefixId prefix) {
  auto id = static_cast<PrefixNodes::Id>(prefix);
  while (id != PrefixNodes::kRoot && --nodes_[id].num_holders == 0) {
    nodes_.drop(id);
    id = nodes_[id].parent;  // it has lost a child
  }
}

}  // namespace kv
