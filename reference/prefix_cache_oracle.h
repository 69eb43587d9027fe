#pragma once
// The prefix cache without a hash: a table from everything that a prefix depends on, written out in
// full, to the blocks that hold its last block, oldest first. Slow, and obviously right.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace kv::oracle {

struct Image {
  std::string identifier;
  std::size_t offset;
  std::size_t num_tokens;
};

struct Prompt {
  std::vector<std::int32_t> token_ids;
  std::string lora_name;
  std::string cache_salt;
  std::vector<Image> images;
};

class PrefixCacheOracle {
 public:
  explicit PrefixCacheOracle(std::size_t block_size) : block_size_(block_size) {}

  // Block `id` holds block number `logical_block` of the prompt.
  void add(const Prompt& prompt, std::size_t logical_block, std::int32_t id) {
    holders_[prefix(prompt, (logical_block + 1) * block_size_)].push_back(id);
  }

  void forget(std::int32_t id) {
    for (auto& [key, ids] : holders_) std::erase(ids, id);
    std::erase_if(holders_, [](const auto& held) { return held.second.empty(); });
  }

  void forget_all() { holders_.clear(); }

  // The oldest holder of each block of the prompt, up to the first that has none.
  std::vector<std::int32_t> longest_hit(const Prompt& prompt) const {
    std::vector<std::int32_t> hits;
    for (std::size_t end = block_size_; end <= prompt.token_ids.size(); end += block_size_) {
      const auto found = holders_.find(prefix(prompt, end));
      if (found == holders_.end()) break;
      hits.push_back(found->second.front());
    }
    return hits;
  }

  bool has(std::int32_t id) const {
    return std::ranges::any_of(
        holders_, [id](const auto& held) { return std::ranges::count(held.second, id) > 0; });
  }

  std::vector<std::int32_t> cached_ids() const {
    std::vector<std::int32_t> all;
    for (const auto& [key, ids] : holders_) all.insert(all.end(), ids.begin(), ids.end());
    std::ranges::sort(all);
    return all;
  }

 private:
  using Placed = std::tuple<std::string, std::size_t, std::size_t>;  // image, from token, to token
  using Key = std::tuple<std::vector<std::int32_t>, std::string, std::string, std::vector<Placed>>;

  static Key prefix(const Prompt& prompt, std::size_t end) {
    const auto begin = prompt.token_ids.begin();
    Key key{
        {begin, begin + static_cast<std::ptrdiff_t>(end)}, prompt.lora_name, prompt.cache_salt, {}};
    for (const Image& image : prompt.images) {
      if (image.offset >= end || image.num_tokens == 0) continue;
      std::get<3>(key).emplace_back(image.identifier, image.offset,
                                    std::min(end, image.offset + image.num_tokens));
    }
    return key;
  }

  std::size_t block_size_;
  std::map<Key, std::vector<std::int32_t>> holders_;
};

}  // namespace kv::oracle
