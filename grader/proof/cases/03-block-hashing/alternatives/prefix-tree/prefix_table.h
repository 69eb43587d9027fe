#pragma once
// A tree: each node has its children by their own part of the prefix.

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "03-block-hashing/request.h"
#include "kv/types.h"

namespace kv {

bool is_same(const BlockContent& left, const BlockContent& right);

class PrefixTable {
 public:
  explicit PrefixTable(std::size_t block_size) { static_cast<void>(block_size); }
  std::optional<PrefixId> find(BlockHash hash, const BlockContent& content) const;
  PrefixId intern(BlockHash hash, const BlockContent& content);
  void release(PrefixId prefix);
  std::size_t size() const { return nodes_.size(); }

 private:
  struct OwnPart {
    std::vector<TokenId> token_ids;
    ExtraKeys extra_keys;
  };
  // Why transparent: a lookup then needs no own part of its own, and allocates nothing.
  struct Before {
    using is_transparent = void;
    bool operator()(const auto& left, const auto& right) const {
      if (!std::ranges::equal(left.token_ids, right.token_ids)) {
        return std::ranges::lexicographical_compare(left.token_ids, right.token_ids);
      }
      return left.extra_keys < right.extra_keys;
    }
  };
  struct Node;
  using Children = std::map<OwnPart, std::unique_ptr<Node>, Before>;
  struct Node {
    PrefixId prefix = 0;
    Node* parent = nullptr;
    Children::iterator place = {};  // among its parent's children
    std::size_t num_holders = 0;
    Children children = {};
  };

  static OwnPart own_part(const BlockContent& content) {
    return {{content.token_ids.begin(), content.token_ids.end()}, content.extra_keys};
  }

  Node root_;
  std::unordered_map<PrefixId, Node*> nodes_;
  PrefixId next_prefix_ = 1;
};

}  // namespace kv
