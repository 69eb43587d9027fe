#pragma once
// A prefix cache in lockstep with two oracles: who holds which block, and what is found. The second
// knows no hash.

#include <map>
#include <string>
#include <vector>

#include "03-block-hashing/narrated_world.h"
#include "grader/harness/random.h"
#include "reference/block_pool_oracle.h"
#include "reference/prefix_cache_oracle.h"

namespace kv::grader {

class CacheLockstep {
 public:
  CacheLockstep(std::size_t num_gpu_blocks, std::size_t block_size, std::uint64_t seed, bool evicts)
      : block_size_(block_size),
        num_gpu_blocks_(num_gpu_blocks),
        evicts_(evicts),
        world_(num_gpu_blocks, block_size),
        books_(num_gpu_blocks),
        cache_(block_size),
        random_(seed) {
    start(draw_pool(world_.pool()) + "; to replay: --seed " + std::to_string(seed));
  }

  void random_step() {
    const std::string name(1, static_cast<char>('A' + random_.below(4)));
    const std::size_t choice = random_.below(10);
    if (choice == 9 && random_.below(4) == 0) {
      reset();
    } else if (choice == 8 && evicts_) {
      const auto id = static_cast<BlockId>(random_.below(num_gpu_blocks_));
      cache_.forget(id);
      world_.evict({id});
    } else if (tables_[name].empty()) {
      arrive(name);
    } else if (choice < 4) {
      leave(name);
    } else {
      grow(name);
    }
    compare();
  }

 private:
  // Few tokens, and often the beginning of an older prompt: that is where hits come from.
  oracle::Prompt random_prompt() {
    oracle::Prompt prompt;
    if (!past_.empty() && random_.below(3) > 0) {
      prompt = past_[random_.below(past_.size())];
      prompt.token_ids.resize(random_.below(prompt.token_ids.size() + 1));
    } else if (random_.below(4) == 0) {
      prompt.lora_name = "poet";
    }
    const std::size_t num_more = 1 + random_.below(3 * block_size_);
    for (std::size_t i = 0; i < num_more; ++i) {
      prompt.token_ids.push_back(static_cast<TokenId>(random_.below(2)));
    }
    return prompt;
  }

  void arrive(const std::string& name) {
    prompts_[name] = random_prompt();
    past_.push_back(prompts_[name]);
    if (past_.size() > 12) past_.erase(past_.begin());
    world_.admit(Request{.request_id = name,
                         .block_size = block_size_,
                         .token_ids = prompts_[name].token_ids,
                         .lora_name = prompts_[name].lora_name});
    const Ids hits = cache_.longest_hit(prompts_[name]);
    world_.expect_hit(name, hits);
    world_.share(name);
    books_.touch(hits);
    tables_[name] = hits;
    num_sealed_[name] = hits.size();
    take_and_seal(name);
  }

  void grow(const std::string& name) {
    const std::vector<TokenId> more(1 + random_.below(2 * block_size_), TokenId{1});
    append_output_token_ids(world_.bare().request(name), more);
    auto& token_ids = prompts_[name].token_ids;
    token_ids.insert(token_ids.end(), more.begin(), more.end());
    take_and_seal(name);
  }

  void take_and_seal(const std::string& name) {
    Ids& table = tables_[name];
    const std::size_t num_tokens = prompts_[name].token_ids.size();
    const std::size_t num_needed = (num_tokens + block_size_ - 1) / block_size_;
    const auto taken = books_.get_new_blocks(num_needed - table.size());
    world_.take(name, num_needed - table.size());
    if (!taken) return leave(name);
    for (const BlockId id : *taken) cache_.forget(id);
    table.insert(table.end(), taken->begin(), taken->end());
    for (std::size_t& i = num_sealed_[name]; i < num_tokens / block_size_; ++i) {
      cache_.add(prompts_[name], i, table[i]);
    }
    world_.seal(name);
  }

  void leave(const std::string& name) {
    Ids& table = tables_[name];
    books_.free_blocks({table.rbegin(), table.rend()});
    world_.leave(name);
    table.clear();
  }

  void reset() {
    const bool expected = books_.holds().empty();
    if (expected) cache_.forget_all();
    EXPECT_EQ(world_.pool().reset_prefix_cache(), expected) << "reset_prefix_cache gave it wrong";
  }

  void compare() {
    EXPECT_EQ(draw(free_ids(world_.pool())), draw(books_.free_ids())) << "the free list";
    world_.expect_cached(cache_.cached_ids());
    for (const auto& [name, table] : tables_) {
      if (!table.empty()) world_.expect_hit(name, cache_.longest_hit(prompts_[name]));
    }
    world_.audit();
  }

  std::size_t block_size_;
  std::size_t num_gpu_blocks_;
  bool evicts_;
  NarratedWorld world_;
  oracle::BlockPoolOracle books_;
  oracle::PrefixCacheOracle cache_;
  Random random_;
  std::map<std::string, oracle::Prompt> prompts_;
  std::map<std::string, Ids> tables_;
  std::map<std::string, std::size_t> num_sealed_;
  std::vector<oracle::Prompt> past_;
};

}  // namespace kv::grader
