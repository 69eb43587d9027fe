#pragma once
// The oracle of a replay: a cache of blocks as a textbook has it, a std::list in the order of
// eviction and a std::unordered_map from a block's hash to its place in the list. One request at a
// time holds blocks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <list>
#include <optional>
#include <span>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace kv::oracle {

// kComparesTokens: a hit has equal tokens and an equal beginning; otherwise the hash decides.
template <bool kComparesTokens>
class CacheReplayOracle {
 public:
  explicit CacheReplayOracle(std::size_t capacity) : free_(capacity) {}

  // A request comes, holds a block for each hash, and ends: how many of them were cached, up to the
  // first that was not. nullopt: it has more blocks than there are, and nothing has changed.
  std::optional<std::size_t> replay(std::span<const std::uint64_t> hashes,
                                    std::span<const std::int32_t> tokens,
                                    std::size_t block_size) {
    if (hashes.size() > free_.size()) return std::nullopt;
    const auto tokens_of = [&](std::size_t i) {
      return tokens.subspan(i * block_size, block_size);
    };
    std::size_t num_hits = 0;
    while (num_hits < hashes.size() && hold_hit(hashes[num_hits], tokens_of(num_hits))) ++num_hits;
    for (std::size_t i = num_hits; i < hashes.size(); ++i) hold_new(hashes[i], tokens_of(i));
    // The last block first, so that the beginning of a text is evicted last.
    while (!held_.empty()) free_.splice(free_.end(), held_, std::prev(held_.end()));
    return num_hits;
  }

  std::size_t num_evictions() const { return num_evictions_; }

 private:
  struct HashedBlock {
    std::optional<std::uint64_t> hash = {};
  };
  struct ExactBlock : HashedBlock {
    std::vector<std::int32_t> tokens = {};
    const ExactBlock* parent = nullptr;
  };
  using Block = std::conditional_t<kComparesTokens, ExactBlock, HashedBlock>;

  // The block before the next one of the request.
  const Block* parent() const { return held_.empty() ? nullptr : &held_.back(); }

  bool hold_hit(std::uint64_t hash, std::span<const std::int32_t> tokens) {
    const auto found = cached_.find(hash);
    if (found == cached_.end() || !is_equal(*found->second, tokens)) return false;
    held_.splice(held_.end(), free_, found->second);
    return true;
  }

  bool is_equal([[maybe_unused]] const Block& block,
                [[maybe_unused]] std::span<const std::int32_t> tokens) const {
    if constexpr (!kComparesTokens)
      return true;
    else
      return block.parent == parent() && std::ranges::equal(block.tokens, tokens);
  }

  // A cached block is evicted before the block in front of it. So while a block is cached its
  // parent is, and a block that was not found is not in the map.
  void hold_new(std::uint64_t hash, [[maybe_unused]] std::span<const std::int32_t> tokens) {
    Block& block = free_.front();
    if (block.hash) cached_.erase(*block.hash);
    num_evictions_ += block.hash ? 1 : 0;
    block.hash = hash;
    if constexpr (kComparesTokens) {
      block.parent = parent();
      block.tokens.assign(tokens.begin(), tokens.end());
    }
    held_.splice(held_.end(), free_, free_.begin());
    cached_.emplace(hash, std::prev(held_.end()));
  }

  std::size_t num_evictions_ = 0;
  std::list<Block> free_;  // the next to be taken first
  std::list<Block> held_;  // the request's blocks, in the order of its text
  std::unordered_map<std::uint64_t, typename std::list<Block>::iterator> cached_;
};

}  // namespace kv::oracle
