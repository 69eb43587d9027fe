#pragma once
// The tokens of a piece of text while neighbors become one.

#include <cstddef>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "kv/types.h"

namespace kv {

struct Merge {
  std::size_t rank;  // smaller ones go first
  TokenId merged;
};
using Merges = std::map<std::pair<TokenId, TokenId>, Merge>;

// Merges the pair of neighbors that has the smallest rank, of equal ones the first, until no pair
// can be merged. Why a list and a queue: a piece can be as long as a text, and to look through all
// pairs for each merge takes the square of that.
class MergedPiece {
 public:
  // Requires: the merges are there as long as the piece.
  explicit MergedPiece(const Merges& merges) : merges_(merges) {}

  void append(TokenId token) {
    parts_.push_back({token, parts_.size() - 1, parts_.size() + 1});
    if (parts_.size() > 1) offer(parts_.size() - 2);
  }

  // O(tokens * log(tokens)).
  void merge() {
    while (!offers_.empty()) {
      const Offer best = offers_.top();
      offers_.pop();
      if (is_open(best)) take(best);
    }
  }

  void copy_to(std::vector<TokenId>& token_ids) const {
    for (std::size_t at = 0; at < parts_.size(); at = parts_[at].next)
      token_ids.push_back(parts_[at].token);
  }

 private:
  static constexpr TokenId kGone = -1;

  struct Part {
    TokenId token;  // kGone: it has become a part of the one before it
    std::size_t before, next;
  };
  // A pair of neighbors that can be merged.
  struct Offer {
    std::size_t rank, at;  // at: the index of the left one
    TokenId left, right, merged;

    friend bool operator<(const Offer& a, const Offer& b) {  // Why: the top is the largest.
      return std::pair(a.rank, a.at) > std::pair(b.rank, b.at);
    }
  };

  void offer(std::size_t at) {
    const TokenId left = parts_[at].token, right = parts_[parts_[at].next].token;
    const auto found = merges_.find({left, right});
    if (found == merges_.end()) return;
    offers_.push({found->second.rank, at, left, right, found->second.merged});
  }

  // Whether neither of the two has been merged since.
  bool is_open(const Offer& offer) const {
    const std::size_t next = parts_[offer.at].next;
    return parts_[offer.at].token == offer.left && next < parts_.size() &&
           parts_[next].token == offer.right;
  }

  void take(const Offer& taken) {
    Part& left = parts_[taken.at];
    Part& right = parts_[left.next];
    left.token = taken.merged;
    left.next = right.next;
    right.token = kGone;
    if (left.next < parts_.size()) {
      parts_[left.next].before = taken.at;
      offer(taken.at);
    }
    if (taken.at > 0) offer(left.before);
  }

  const Merges& merges_;
  std::vector<Part> parts_;
  std::priority_queue<Offer> offers_;
};

}  // namespace kv
