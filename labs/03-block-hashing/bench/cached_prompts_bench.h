#pragma once
// A cache full of prompts, as after hours of service.

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "03-block-hashing/bench/bench_caches.h"
#include "03-block-hashing/bench/bench_prompts.h"

namespace kv::bench {

// A cache that is full of prompts, and a few prompts that it does not hold.
template <class Cache>
class CachedPrompts {
 public:
  explicit CachedPrompts(std::size_t num_blocks)
      : cache_(num_blocks / kPromptBlocks * kPromptBlocks),
        prompts_(make_prompts(num_blocks / kPromptBlocks + kNumOutside)) {
    std::ranges::shuffle(cache_.blocks(), random_);
    for (std::size_t p = 0; p + kNumOutside < prompts_.size(); ++p) {
      const auto first = cache_.blocks().begin() + static_cast<long>(p * kPromptBlocks);
      tables_.emplace_back(first, first + kPromptBlocks);
    }
    std::vector<Place> places;
    for (std::size_t i = 0; i < cache_.blocks().size(); ++i)
      places.push_back({i % kPromptBlocks, i / kPromptBlocks});
    insert_in_any_order(places);
    std::ranges::shuffle(places, random_);
    places.resize(places.size() / 2);  // and what took their place in memory comes from all over
    for (const Place& place : places) cache_.evict(*tables_[place.prompt][place.block]);
    insert_in_any_order(places);
  }

  Cache& cache() { return cache_; }
  const Request& next_prompt() { return prompts_[next_ = (next_ + 1) % tables_.size()]; }

  // The next prompt goes, and one from outside comes: its blocks, as a finished request frees them.
  const Request& replace_next_prompt() {
    next_ = (next_ + 1) % tables_.size();
    outside_ = (outside_ + 1) % kNumOutside;
    std::ranges::reverse(tables_[next_]);
    std::swap(prompts_[next_], prompts_[tables_.size() + outside_]);
    return prompts_[next_];
  }
  const Blocks& table() const { return tables_[next_]; }

 private:
  static constexpr std::size_t kNumOutside = 64;
  struct Place {
    std::size_t block, prompt;
  };

  // A block after its parent, and otherwise in no order.
  void insert_in_any_order(std::vector<Place>& places) {
    std::ranges::shuffle(places, random_);
    std::ranges::stable_sort(places, {}, &Place::block);
    for (const auto& [block, prompt] : places)
      cache_.insert(prompts_[prompt], tables_[prompt], block, block + 1);
  }

  std::mt19937 random_{42};
  Cache cache_;
  std::vector<Request> prompts_;  // those that are cached, then those outside
  std::vector<Blocks> tables_;
  std::size_t next_ = 0, outside_ = 0;
};

}  // namespace kv::bench
