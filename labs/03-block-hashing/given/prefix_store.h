#pragma once
// Given: the memory of a PrefixTable. It keeps a copy of the last block of each prefix, gives it an
// id and counts its holders. It decides nothing: `find` asks its caller which prefix is meant.
//
//       hash --> first_ | - | id | - |        a bucket: the latest of its prefixes, or none
//                             |
//                             +--> nodes_[id]       parent, holders, the next of the bucket
//                             +--> token_ids_[id]   16 tokens, one line of memory

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "03-block-hashing/given/huge_page_vector.h"
#include "03-block-hashing/request.h"
#include "kv/require.h"
#include "kv/types.h"

namespace kv {

class PrefixStore {
 public:
  explicit PrefixStore(std::size_t block_size) : block_size_(block_size) {}

  // The prefix whose hash may be this one and whose content `is_it` accepts; nullopt if there is
  // none. is_it: bool(const BlockContent& held).                                    O(1) expected
  template <class Predicate>
  std::optional<PrefixId> find(BlockHash hash, Predicate is_it) const {
    return as_prefix(search(hash, is_it));
  }

  // A new prefix with a copy of this content. It has no holders yet.                O(1) expected
  PrefixId add(BlockHash hash, const BlockContent& content) {
    if (unused_.empty()) make_place();
    const Id id = unused_.back();
    unused_.pop_back();
    nodes_[id] = {.parent = narrow(content.parent.value_or(kNoPrefix)),
                  .tag = static_cast<std::uint32_t>(hash) & kTagBits,
                  .has_extra_keys = !content.extra_keys.empty()};
    std::ranges::copy(content.token_ids, token_ids_.data() + id * block_size_);
    if (!content.extra_keys.empty()) extra_keys_[id] = content.extra_keys;
    link(id);
    return id;
  }

  // How many blocks and children hold the prefix: to be read and written.
  std::uint32_t& num_holders(PrefixId prefix) { return nodes_[narrow(prefix)].num_holders; }

  // The prefix before its last block; nullopt if it has only one block.
  std::optional<PrefixId> parent(PrefixId prefix) const {
    return as_prefix(nodes_[narrow(prefix)].parent);
  }

  // Forgets a prefix. A later one may get its id.                                   O(1) expected
  void erase(PrefixId prefix) {
    const Id id = narrow(prefix);
    Id* link = &first_[bucket(nodes_[id].tag)];
    for (; *link != id; link = &nodes_[*link].next)
      KV_REQUIRE("a prefix is erased once", *link != kNoPrefix);
    *link = nodes_[id].next;
    __builtin_prefetch(token_ids(id).data(), 1);  // the next add writes there
    unused_.push_back(id);
  }

  std::size_t size() const { return nodes_.size() - 1 - unused_.size(); }

  // The three pieces of memory that find reads first. Each is found in the one before it, so ask
  // for it when that one has arrived.
  void prefetch_bucket(BlockHash hash) const { prefetch_line(&first_[bucket(hash)]); }
  void prefetch_node(BlockHash hash) const { prefetch_line(&nodes_[first_[bucket(hash)]]); }
  void prefetch_token_ids(PrefixId prefix) const {
    prefetch_line(token_ids(narrow(prefix)).data());
  }

  // The first prefix whose hash may be this one, whatever its content; kNoPrefix if there is none.
  PrefixId guess(BlockHash hash) const {
    return search(hash, [](const BlockContent&) { return true; });
  }

  BlockContent content_of(PrefixId prefix) const {
    const Id id = narrow(prefix);
    return {parent(prefix), token_ids(id),
            nodes_[id].has_extra_keys ? extra_keys_[id] : no_extra_keys_};
  }

  static constexpr PrefixId kNoPrefix = 0;  // no prefix has this id
  static std::optional<PrefixId> as_prefix(PrefixId id) {
    return id == kNoPrefix ? std::nullopt : std::optional(id);
  }

 private:
  using Id = std::uint32_t;  // a PrefixId in half the space
  static constexpr std::uint32_t kTagBits = 0x7FFFFFFF;
  static constexpr std::size_t kBucketsForPrefix = 6;  // so two prefixes seldom share one

  // Four of them share a line of memory.
  struct Node {
    Id parent = kNoPrefix;
    Id next = kNoPrefix;
    std::uint32_t num_holders = 0;
    std::uint32_t tag : 31 = 0;  // the lower bits of its hash
    bool has_extra_keys : 1 = false;
  };

  // Does what find does. Why no optional, here and in guess: GCC writes it in two pieces and reads
  // it as one, which waits until both are written.
  template <class Predicate>
  Id search(BlockHash hash, Predicate is_it) const {
    Id id = first_[bucket(hash)];
    while (id != kNoPrefix && !(nodes_[id].tag == (hash & kTagBits) && is_it(content_of(id))))
      id = nodes_[id].next;
    return id;
  }

  static Id narrow(PrefixId prefix) { return static_cast<Id>(prefix); }

  std::size_t bucket(BlockHash hash_or_tag) const { return hash_or_tag & (first_.size() - 1); }

  std::span<const TokenId> token_ids(Id id) const {
    return {token_ids_.data() + id * block_size_, block_size_};
  }

  void link(Id id) {
    Id& first = first_[bucket(nodes_[id].tag)];
    nodes_[id].next = std::exchange(first, id);
  }

  void make_place() {
    const std::size_t num_prefixes = nodes_.size();
    if (kBucketsForPrefix * num_prefixes > first_.size()) double_buckets();
    nodes_.emplace_back();
    extra_keys_.emplace_back();
    token_ids_.resize(nodes_.size() * block_size_);
    unused_.push_back(static_cast<Id>(num_prefixes));
  }

  void double_buckets() {
    for (const Id first : std::exchange(first_, HugePageVector<Id>(2 * first_.size())))
      for (Id id = first; id != kNoPrefix;) link(std::exchange(id, nodes_[id].next));
  }

  std::size_t block_size_;
  HugePageVector<Node> nodes_ = HugePageVector<Node>(1);           // [Id]
  std::vector<ExtraKeys> extra_keys_ = std::vector<ExtraKeys>(1);  // [Id], if the node says so
  ExtraKeys no_extra_keys_;
  HugePageVector<TokenId> token_ids_;                 // [Id][block_size]
  std::vector<Id> unused_;                            // places without a prefix
  HugePageVector<Id> first_ = HugePageVector<Id>(8);  // [bucket], a power of 2 of them
};

}  // namespace kv
