#pragma once
// The oracle of the KV cache manager. It has no hash, no ref count and no list: of each block it
// stores what was logged of it last, the text that it holds and the times at which it was filled
// and left. A block is in use if some table has it, the free order is the order of leaving, and a
// hit is a search through all blocks for the whole text. Slow, and easy to check by reading.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kv::oracle {

class KVCacheManagerOracle {
 public:
  using Id = std::int32_t;
  using Ids = std::vector<Id>;

  struct Prompt {
    std::vector<std::int32_t> token_ids;
    std::string tenant;
    bool reads_cache = true;
  };
  struct Ask {
    std::size_t num_computed = 0;
    std::size_t num_new = 0;
    std::size_t num_lookahead = 0;
    bool must_fit = false;
    std::size_t num_left_free = 0;  // blocks
  };
  struct Copy {
    Id source, destination;
    std::size_t num_slots;
  };
  struct Answer {
    Ids new_blocks;
    std::vector<Copy> copies;
  };

  KVCacheManagerOracle(std::size_t num_blocks,
                       std::size_t block_size,
                       std::size_t max_len,
                       bool is_caching,
                       bool is_todays = false)
      : block_size_(block_size),
        max_len_(max_len),
        is_caching_(is_caching),
        is_todays_(is_todays),
        blocks_(num_blocks) {
    for (Block& block : blocks_) block.left_at = ++now_;
  }

  std::size_t block_size() const { return block_size_; }

  const Ids& table(const std::string& name) const {
    static const Ids kNone;
    const auto found = held_.find(name);
    return found == held_.end() ? kNone : found->second.table;
  }

  Id ref_cnt(Id id) const {
    return static_cast<Id>(std::ranges::count_if(
        held_, [id](const auto& held) { return std::ranges::count(held.second.table, id) > 0; }));
  }

  Ids free_ids() const {
    std::vector<bool> is_used(blocks_.size());
    is_used[0] = true;
    for (const auto& [name, held] : held_)
      for (const Id id : held.table) is_used[index(id)] = true;
    Ids ids;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (!is_used[i]) ids.push_back(static_cast<Id>(i));
    std::ranges::sort(ids, {}, [this](Id id) { return blocks_[index(id)].left_at; });
    return ids;
  }

  Ids cached_ids() const {
    Ids ids;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i].is_filled) ids.push_back(static_cast<Id>(i));
    return ids;
  }

  // The block of each full text of the prompt that was filled first; its last token is left out.
  Ids computed_blocks(const Prompt& prompt) const {
    Ids hits;
    if (!is_caching_ || !prompt.reads_cache) return hits;
    for (std::size_t end = block_size_; end < prompt.token_ids.size(); end += block_size_) {
      const Block* oldest = nullptr;
      for (const Block& block : blocks_)
        if (holds(block, prompt, end) && (!oldest || block.filled_at < oldest->filled_at))
          oldest = &block;
      if (oldest == nullptr) break;
      hits.push_back(static_cast<Id>(oldest - blocks_.data()));
    }
    return hits;
  }

  // hits: of computed_blocks, for a request without blocks.
  std::optional<Answer> allocate(const std::string& name,
                                 const Prompt& prompt,
                                 const Ask& ask,
                                 const Ids& hits = {}) {
    const std::size_t computed = ask.num_computed + hits.size() * block_size_;
    Held after = held_.contains(name) ? held_.at(name) : Held{};
    after.table.insert(after.table.end(), hits.begin(), hits.end());
    after.num_filled = std::min(after.num_filled, prompt.token_ids.size() / block_size_);
    after.num_filled += hits.size();
    for (std::size_t i = after.num_filled; i < computed / block_size_; ++i)
      if (blocks_[index(after.table[i])].is_filled) after.num_filled = i + 1;

    const auto replaced =
        of_others(name, after.table, std::max(computed / block_size_, after.num_filled));

    const Ids free = free_ids();
    const std::size_t end = capped(computed, ask.num_new, ask.num_lookahead);
    const std::size_t whole = ask.must_fit ? capped(prompt.token_ids.size(), 0, 0) : 0;
    std::size_t num_needed = num_more(after.table, std::max(end, whole)) + replaced.size();
    for (const Id id : hits) num_needed += std::ranges::count(free, id) > 0 ? 1u : 0u;
    if (num_needed + ask.num_left_free > free.size()) return std::nullopt;

    Held& held = held_[name] = after;
    const Ids order = free_ids();  // without the hits
    Answer answer;
    Ids sources;
    for (const std::size_t i : replaced) {
      const Id source = sources.emplace_back(held.table[i]);
      held.table[i] = take(order, answer);
      const std::size_t num_slots = computed - std::min(computed, i * block_size_);
      if (num_slots > 0) answer.copies.push_back({source, held.table[i], num_slots});
    }
    for (; !sources.empty(); sources.pop_back()) leave(sources.back());
    for (std::size_t i = num_more(held.table, end); i > 0; --i)
      held.table.push_back(take(order, answer));
    fill(held, prompt, std::min(capped(computed, ask.num_new, 0), prompt.token_ids.size()));
    return answer;
  }

  void free(const std::string& name) {
    Ids reused_first;
    for (Ids left = table(name); !left.empty(); left.pop_back()) {
      held_[name].table.pop_back();
      leave(left.back());
      const bool is_wanted = blocks_[index(left.back())].is_filled;
      if (is_todays_ && !is_wanted && ref_cnt(left.back()) == 0)
        reused_first.push_back(left.back());
    }
    // Today, what nobody can find left before all others.
    for (; !reused_first.empty(); reused_first.pop_back())
      blocks_[index(reused_first.back())].left_at = --first_;
    held_.erase(name);
  }

  void fork(const std::string& parent, const std::string& child) { held_[child] = held_[parent]; }
  void accept(const std::string& parent, const std::string& child) {
    const Held accepted = held_[child];
    free(parent);
    held_.erase(child);
    held_[parent] = accepted;
  }

  std::size_t num_common(const std::string& name) const {
    std::size_t num = 0;
    if (!is_caching_ || is_todays_) return num;
    for (const Id id : table(name)) {
      if (static_cast<std::size_t>(ref_cnt(id)) < held_.size()) break;
      ++num;
    }
    return num;
  }

  std::size_t num_blocks() const { return blocks_.size(); }
  // How many blocks a request lacks for its whole text.
  std::size_t num_lacking(const std::string& name, const Prompt& prompt) const {
    return num_more(table(name), capped(prompt.token_ids.size(), 0, 0));
  }

  void forget(Id id) { blocks_[index(id)].is_filled = false; }
  bool forget_all() {
    if (!held_.empty()) return false;
    for (Block& block : blocks_) block.is_filled = false;
    return true;
  }

 private:
  struct Block {
    bool is_filled = false;
    Prompt text = {};  // as far as the end of the block, if it is filled
    std::int64_t filled_at = 0;
    std::int64_t left_at = 0;
  };
  struct Held {
    Ids table;
    std::size_t num_filled = 0;  // its first blocks, which it has found or filled
  };

  static std::size_t index(Id id) { return static_cast<std::size_t>(id); }

  std::size_t capped(std::size_t a, std::size_t b, std::size_t c) const {
    a = std::min(a, max_len_);
    b = std::min(b, max_len_ - a);
    return a + b + std::min(c, max_len_ - a - b);
  }

  // How many blocks the table lacks for so many tokens.
  std::size_t num_more(const Ids& table, std::size_t num_tokens) const {
    std::size_t num = 0;
    for (std::size_t i = table.size(); i * block_size_ < num_tokens; ++i) ++num;
    return num;
  }

  static bool holds(const Block& block, const Prompt& prompt, std::size_t end) {
    return block.is_filled && block.text.token_ids.size() == end &&
           block.text.tenant == prompt.tenant &&
           std::equal(block.text.token_ids.begin(), block.text.token_ids.end(),
                      prompt.token_ids.begin());
  }

  // Which blocks of the table, from block number `first` on, are of another request.
  std::vector<std::size_t> of_others(const std::string& name,
                                     const Ids& table,
                                     std::size_t first) const {
    std::vector<std::size_t> numbers;
    for (std::size_t i = first; i < table.size(); ++i)
      if (is_of_another(name, table[i])) numbers.push_back(i);
    return numbers;
  }

  bool is_of_another(const std::string& name, Id id) const {
    if (blocks_[index(id)].is_filled) return true;
    return std::ranges::any_of(held_, [&](const auto& held) {
      return held.first != name && std::ranges::count(held.second.table, id) > 0;
    });
  }

  Id take(const Ids& order, Answer& answer) {
    const Id id = order[answer.new_blocks.size()];
    blocks_[index(id)].is_filled = false;
    answer.new_blocks.push_back(id);
    return id;
  }

  void leave(Id id) {
    if (ref_cnt(id) == 0) blocks_[index(id)].left_at = ++now_;
  }

  void fill(Held& held, const Prompt& prompt, std::size_t num_tokens) {
    if (!is_caching_) return;
    for (; (held.num_filled + 1) * block_size_ <= num_tokens; ++held.num_filled) {
      Block& block = blocks_[index(held.table[held.num_filled])];
      const auto length = static_cast<std::ptrdiff_t>((held.num_filled + 1) * block_size_);
      block.is_filled = true;
      block.filled_at = ++now_;
      block.text = prompt;
      block.text.token_ids.assign(prompt.token_ids.begin(), prompt.token_ids.begin() + length);
    }
  }

  std::size_t block_size_;
  std::size_t max_len_;
  bool is_caching_;
  bool is_todays_;  // not vLLM 0.22, but 0.33
  std::int64_t now_ = 0, first_ = 0;
  std::vector<Block> blocks_;         // [id]
  std::map<std::string, Held> held_;  // by the name of the request
};

}  // namespace kv::oracle
