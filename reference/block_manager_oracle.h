#pragma once
// The oracle of lab 04's BlockManager. It has no hash, no ref count and no list: of each block it
// stores the whole text that it was computed with, and when it was filled and left. A block is in
// use if some table has it, the free order is the order of leaving, and a hit is a search through
// all blocks. A text begins with its tenant.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kv::oracle {

class BlockManagerOracle {
 public:
  using Id = std::int32_t;
  using Ids = std::vector<Id>;
  using Text = std::vector<std::int32_t>;

  BlockManagerOracle(std::size_t num_blocks, std::size_t block_size)
      : block_size_(block_size), blocks_(num_blocks) {
    for (Block& block : blocks_) block.left_at = ++now_;
  }

  const Ids& table(const std::string& name) { return tables_[name]; }

  Ids free_ids() const {
    Ids ids;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (!is_used(static_cast<Id>(i))) ids.push_back(static_cast<Id>(i));
    std::ranges::sort(ids, {}, [this](Id id) { return at(id).left_at; });
    return ids;
  }

  Ids cached_ids() const {
    Ids ids;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (!blocks_[i].text.empty()) ids.push_back(static_cast<Id>(i));
    return ids;
  }

  // The texts of all cached blocks and all their beginnings, each once.
  std::size_t num_prefixes() const {
    std::set<Text> texts;
    for (const Block& block : blocks_)
      for (std::size_t end = 1 + block_size_; end <= block.text.size(); end += block_size_)
        texts.insert(beginning(block.text, end));
    return texts.size();
  }

  // For each block of the text but that of its last token, the block that was filled with it first.
  Ids found(const Text& text) const {
    Ids ids;
    for (std::size_t end = 1 + block_size_; end < text.size(); end += block_size_) {
      const Block* oldest = nullptr;
      for (const Block& block : blocks_)
        if (block.text == beginning(text, end) && (!oldest || block.filled_at < oldest->filled_at))
          oldest = &block;
      if (oldest == nullptr) break;
      ids.push_back(static_cast<Id>(oldest - blocks_.data()));
    }
    return ids;
  }

  std::optional<std::size_t> can_allocate(const Text& text) const {
    const Ids hits = found(text);
    std::size_t num_needed = num_blocks(text);
    for (const Id id : hits) num_needed -= is_used(id) ? 1 : 0;
    if (num_needed > free_ids().size()) return std::nullopt;
    return hits.size();
  }

  bool allocate(const std::string& name, const Text& text) {
    if (!can_allocate(text)) return false;
    tables_[name] = found(text);
    return grow(name, text);
  }

  bool can_grow(const std::string& name, const Text& text) const {
    return num_blocks(text) <= tables_.at(name).size() + free_ids().size();
  }

  bool grow(const std::string& name, const Text& text) {
    Ids& table = tables_[name];
    if (!can_grow(name, text)) return false;
    while (table.size() < num_blocks(text)) {
      const Id id = free_ids().front();
      at(id).text.clear();
      table.push_back(id);
    }
    return true;
  }

  // Tokens [first, last) of the text are computed.
  void fill(const std::string& name, const Text& text, std::size_t first, std::size_t last) {
    for (std::size_t i = first / block_size_; i < last / block_size_; ++i) {
      Block& block = at(tables_[name][i]);
      block.text = beginning(text, 1 + (i + 1) * block_size_);
      block.filled_at = ++now_;
    }
  }

  void deallocate(const std::string& name) {
    Ids& table = tables_[name];
    while (!table.empty()) {
      const Id id = table.back();
      table.pop_back();
      if (!is_used(id)) at(id).left_at = ++now_;
    }
  }

 private:
  struct Block {
    Text text = {};  // empty: nothing that could be found
    std::size_t filled_at = 0;
    std::size_t left_at = 0;
  };

  static Text beginning(const Text& text, std::size_t end) {
    return {text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end)};
  }

  std::size_t num_blocks(const Text& text) const {
    return (text.size() - 1 + block_size_ - 1) / block_size_;
  }

  bool is_used(Id id) const {
    return std::ranges::any_of(
        tables_, [id](const auto& entry) { return std::ranges::count(entry.second, id) > 0; });
  }

  Block& at(Id id) { return blocks_[static_cast<std::size_t>(id)]; }
  const Block& at(Id id) const { return blocks_[static_cast<std::size_t>(id)]; }

  std::size_t block_size_;
  std::size_t now_ = 0;
  std::vector<Block> blocks_;  // [Id]
  std::map<std::string, Ids> tables_;
};

}  // namespace kv::oracle
