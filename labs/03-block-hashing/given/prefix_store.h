#pragma once
// Given: the memory of a PrefixTable. It keeps a copy of the last block of each prefix, gives it an
// id and counts its holders. It decides nothing: `find` asks its caller which prefix is meant.
//
//       hash --> index_ | - | tag, id, parent | - |
//                                  |
//                                  +--> token_ids_[id]    16 tokens, one line of memory
//                                  +--> nodes_[id]        read when its holders change

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "03-block-hashing/given/flat_hash_map.h"
#include "03-block-hashing/given/huge_page_vector.h"
#include "03-block-hashing/request.h"
#include "kv/types.h"

namespace kv {

class PrefixStore {
 public:
  using Id = std::uint32_t;           // a PrefixId in half the space
  static constexpr Id kNoPrefix = 0;  // no prefix has this id

  // What find reads besides tokens; with its tag, 16 bytes.
  struct Entry {
    Id id = kNoPrefix;
    Id parent = kNoPrefix;
    bool has_extra_keys = false;

    bool operator==(const Entry& other) const { return id == other.id; }
  };

  explicit PrefixStore(std::size_t block_size) : block_size_(block_size) {}

  // The prefix whose hash may be this one and whose content `is_it` accepts; nullopt if there is
  // none. is_it: bool(const BlockContent& held).                                    O(1) expected
  template <class Predicate>
  std::optional<PrefixId> find(BlockHash hash, Predicate is_it) const {
    const auto found = index_.find_if(
        tag_of(hash), [&](const Entry& candidate) { return is_it(content_of(candidate)); });
    if (found == index_.end()) return std::nullopt;
    return found->second.id;
  }

  // A new prefix with a copy of this content. It has no holders yet.                O(1) expected
  PrefixId add(BlockHash hash, const BlockContent& content) {
    if (unused_.empty()) make_place();
    const Id id = unused_.back();
    unused_.pop_back();
    const Id parent = narrow(content.parent.value_or(kNoPrefix));
    nodes_[id] = {.parent = parent, .num_holders = 0, .tag = tag_of(hash)};
    std::ranges::copy(content.token_ids, token_ids_.data() + id * block_size_);
    if (!content.extra_keys.empty()) extra_keys_[id] = content.extra_keys;
    index_.add({tag_of(hash), {id, parent, !content.extra_keys.empty()}});
    return id;
  }

  // How many blocks and children hold the prefix: to be read and written.
  std::uint32_t& num_holders(PrefixId prefix) { return nodes_[narrow(prefix)].num_holders; }

  // The prefix before its last block; nullopt if it has only one block.
  std::optional<PrefixId> parent(PrefixId prefix) const {
    return as_parent(nodes_[narrow(prefix)].parent);
  }

  // Forgets a prefix. A later one may get its id.                                   O(1) expected
  void erase(PrefixId prefix) {
    const Id id = narrow(prefix);
    index_.erase(index_.find_if(nodes_[id].tag, [id](const Entry& held) { return held.id == id; }));
    __builtin_prefetch(token_ids(id).data(), 1);  // the next add writes there
    unused_.push_back(id);
  }

  std::size_t size() const { return index_.size(); }

  // Asks for the memory that find will read first, and does not wait for it.
  void prefetch(BlockHash hash) const { index_.prefetch(tag_of(hash)); }

  // The first prefix whose hash may be this one, whatever its content; nullptr if there is none.
  // Asks for its tokens. Good until the next add or erase.
  const Entry* guess(BlockHash hash) const {
    const auto found = index_.find(tag_of(hash));
    if (found == index_.end()) return nullptr;
    __builtin_prefetch(token_ids(found->second.id).data());
    return &found->second;
  }
  BlockContent content_of(const Entry& held) const {
    return {as_parent(held.parent), token_ids(held.id),
            held.has_extra_keys ? extra_keys_[held.id] : no_extra_keys_};
  }

 private:
  struct Node {
    Id parent = kNoPrefix;
    std::uint32_t num_holders = 0;
    std::uint32_t tag = 0;  // the upper half of its hash
  };

  static std::uint32_t tag_of(BlockHash hash) { return static_cast<std::uint32_t>(hash >> 32); }
  static Id narrow(PrefixId prefix) { return static_cast<Id>(prefix); }
  static std::optional<PrefixId> as_parent(Id id) {
    return id == kNoPrefix ? std::nullopt : std::optional<PrefixId>(id);
  }

  std::span<const TokenId> token_ids(Id id) const {
    return {token_ids_.data() + id * block_size_, block_size_};
  }
  void make_place() {
    unused_.push_back(static_cast<Id>(nodes_.size()));
    nodes_.emplace_back();
    extra_keys_.emplace_back();
    token_ids_.resize(nodes_.size() * block_size_);
  }

  std::size_t block_size_;
  HugePageVector<Node> nodes_ = HugePageVector<Node>(1);           // [Id]
  std::vector<ExtraKeys> extra_keys_ = std::vector<ExtraKeys>(1);  // [Id], if the entry says so
  ExtraKeys no_extra_keys_;
  HugePageVector<TokenId> token_ids_;        // [Id][block_size]
  std::vector<Id> unused_;                   // places without a prefix
  FlatHashMap<std::uint32_t, Entry> index_;  // by tag, one entry for each prefix
};

}  // namespace kv
