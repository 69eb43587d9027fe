#pragma once
// Given: the prefixes that somebody holds, laid out for the search. Memory moves in lines of 64
// bytes, and finding a prefix costs one line of entries and one of tokens:
//
//       hash --> entries_ | - | tag, id, parent | - |
//                                    |
//                                    +--> token_ids_[id]    16 tokens, one line
//                                    +--> nodes_[id]        read when its holders change

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "03-block-hashing/block_hash.h"
#include "03-block-hashing/given/large_array.h"
#include "03-block-hashing/given/open_table.h"
#include "kv/types.h"

namespace kv {

class PrefixNodes {
 public:
  using Id = std::uint32_t;       // a PrefixId, and the node's place
  static constexpr Id kRoot = 0;  // the parent of first blocks; no prefix has this id

  struct Node {
    Id parent = kRoot;
    std::uint32_t num_holders = 0;  // blocks that carry the id, and children
    std::uint32_t tag = 0;          // the upper half of its hash
  };

  // All that a search reads besides tokens.
  struct Entry {
    std::uint32_t tag = 0;
    Id id = kRoot;
    Id parent = kRoot;
    bool has_extra_keys = false;

    std::uint64_t hash() const { return tag; }
    bool is_empty() const { return id == kRoot; }
  };

  explicit PrefixNodes(std::size_t block_size) : block_size_(block_size) {}

  std::size_t size() const { return entries_.size(); }
  Node& operator[](Id id) { return nodes_[id]; }

  std::span<const TokenId> token_ids(Id id) const {
    return {token_ids_.data() + id * block_size_, block_size_};
  }
  bool has_extra_keys(const Entry& entry, const ExtraKeys& extra_keys) const {
    return entry.has_extra_keys ? extra_keys_[entry.id] == extra_keys : extra_keys.empty();
  }

  // The first entry whose hash may be this one and that is_it accepts; nullptr if there is none.
  // O(1) expected.
  template <class Predicate>
  const Entry* find(BlockHash hash, Predicate is_it) const {
    const std::uint32_t tag = tag_of(hash);
    return entries_.find(tag, [&](const Entry& e) { return e.tag == tag && is_it(e); });
  }

  // Asks for the memory that find will read first, and does not wait for it.
  void prefetch(BlockHash hash) const { entries_.prefetch(tag_of(hash)); }
  void prefetch(std::span<const BlockHash> hashes) const {
    for (const BlockHash hash : hashes) prefetch(hash);
  }

  // For each hash the first entry that may have it, or nullptr. Its tokens are on their way.
  void look_ahead(std::span<const BlockHash> hashes, std::span<const Entry*> candidates) const {
    prefetch(hashes);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      candidates[i] = find(hashes[i], [](const Entry&) { return true; });
      if (candidates[i] != nullptr) __builtin_prefetch(token_ids(candidates[i]->id).data());
    }
  }

  // A node with one holder, and with copies of its own.                             O(1) expected
  Id add(Id parent,
         BlockHash hash,
         std::span<const TokenId> token_ids,
         const ExtraKeys& extra_keys) {
    if (unused_.empty()) make_place();
    const Id id = unused_.back();
    unused_.pop_back();
    nodes_[id] = {.parent = parent, .num_holders = 1, .tag = tag_of(hash)};
    std::ranges::copy(token_ids, token_ids_.data() + id * block_size_);
    if (!extra_keys.empty()) extra_keys_[id] = extra_keys;
    entries_.add({tag_of(hash), id, parent, !extra_keys.empty()});
    return id;
  }

  // Gives a node's id back; nobody holds it.                                        O(1) expected
  void drop(Id id) {
    entries_.erase(entries_.find(nodes_[id].tag, [id](const Entry& e) { return e.id == id; }));
    __builtin_prefetch(token_ids(id).data(), 1);  // the next add writes there
    unused_.push_back(id);
  }

 private:
  static std::uint32_t tag_of(BlockHash hash) { return static_cast<std::uint32_t>(hash >> 32); }

  void make_place() {
    unused_.push_back(static_cast<Id>(nodes_.size()));
    nodes_.emplace_back();
    extra_keys_.emplace_back();
    token_ids_.resize(nodes_.size() * block_size_);
  }

  std::size_t block_size_;
  LargeArray<Node> nodes_ = LargeArray<Node>(1);                   // [Id]
  std::vector<ExtraKeys> extra_keys_ = std::vector<ExtraKeys>(1);  // [Id], if the entry says so
  LargeArray<TokenId> token_ids_;                                  // [Id][block_size]
  std::vector<Id> unused_;                                         // places without a node
  OpenTable<Entry> entries_;                                       // one for each node
};

}  // namespace kv
