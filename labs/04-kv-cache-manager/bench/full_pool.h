#pragma once
// A pool in which every block is cached, as after hours of service, and what arrives then.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "04-kv-cache-manager/bench/bench_managers.h"
#include "grader/harness/bench_rows.h"

namespace kv::bench {

// Random tokens: no two blocks are equal.
class Tokens {
 public:
  std::vector<TokenId> next(std::size_t num_tokens) {
    std::vector<TokenId> tokens(num_tokens);
    for (TokenId& token : tokens) token = static_cast<TokenId>(random_() % kVocabulary);
    return tokens;
  }

 private:
  static constexpr std::uint32_t kVocabulary = 151'936;
  std::mt19937 random_{7};
};

inline Request new_request(const std::string& id) {
  return {.request_id = id, .block_size = kBlockSize, .token_ids = {}};
}

// Why not clear(): a request that has just come in has no memory for them yet.
inline void forget_hashes(Request& request) {
  request.block_hashes = std::vector<BlockHash>();
  request.block_extra_keys = std::vector<ExtraKeys>();
}

inline void set_tokens(Request& request, std::vector<TokenId> token_ids) {
  request.token_ids = std::move(token_ids);
  forget_hashes(request);
  update_block_hashes(request);
}

// A manager, and the prompts that fill it. A prompt has a token more than its full blocks, so all
// its blocks but the last one are cached.
template <class Manager>
class FullPool {
 public:
  using Prompt = typename Manager::Prompt;

  FullPool(std::size_t num_blocks, std::size_t prompt_blocks)
      : FullPool(num_blocks, prompt_blocks, num_blocks / (prompt_blocks + 1)) {}

  double answer() const { return answer_; }  // fingerprint of the blocks that the prompts find
  Manager& manager() { return manager_; }
  Tokens& tokens() { return tokens_; }

  // Some prompts, in turns. If the caller serves each, they are always those whose blocks are
  // evicted next.
  std::vector<Prompt*> next_prompts(std::size_t num_prompts) {
    std::vector<Prompt*> some(num_prompts);
    for (Prompt*& prompt : some) {
      prompt = &prompts_[next_];
      next_ = (next_ + 1) % prompts_.size();
    }
    return some;
  }

  // The same with other tokens: nothing of them is cached. To serve them evicts what they were.
  std::vector<Prompt*> next_prompts_with_other_tokens(std::size_t num_prompts) {
    const std::vector<Prompt*> some = next_prompts(num_prompts);
    for (Prompt* prompt : some)
      set_tokens(Manager::request_of(*prompt), tokens_.next(num_prompt_tokens_));
    return some;
  }

 protected:
  FullPool(std::size_t num_blocks, std::size_t prompt_blocks, std::size_t num_prompts)
      : num_prompt_tokens_(prompt_blocks * kBlockSize + 1), manager_(num_blocks) {
    for (std::size_t i = 0; i < num_prompts; ++i)
      prompts_.push_back({new_request("prompt-" + std::to_string(i))});
    compute_side_by_side();
    std::vector<BlockId> ids;
    for (Prompt& prompt : prompts_) {
      manager_.finish(prompt);
      for (const auto* block : manager_.find(prompt)) ids.push_back(block->block_id);
    }
    answer_ = fingerprint(ids);
  }

 private:
  // Block by block in random order, so that the blocks of a prompt are scattered in all memory.
  void compute_side_by_side() {
    std::vector<std::size_t> order(prompts_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t first = 0; first < num_prompt_tokens_; first += kBlockSize) {
      std::ranges::shuffle(order, random_);
      for (const std::size_t i : order) {
        const std::size_t num_tokens = std::min(kBlockSize, num_prompt_tokens_ - first);
        append_output_token_ids(Manager::request_of(prompts_[i]), tokens_.next(num_tokens));
        manager_.extend(prompts_[i]);
      }
    }
  }

  std::size_t num_prompt_tokens_;
  std::mt19937 random_{42};
  Tokens tokens_;
  Manager manager_;
  std::vector<Prompt> prompts_;
  std::size_t next_ = 0;
  double answer_ = 0;
};

// A pool with so few prompts that what they touch stays in the processor's caches, when they come
// again and again. The other blocks are free and hold nothing.
template <class Manager>
class PoolOfFewPrompts : public FullPool<Manager> {
 public:
  PoolOfFewPrompts(std::size_t num_blocks, std::size_t prompt_blocks)
      : FullPool<Manager>(num_blocks, prompt_blocks, kNumPrompts) {}

 private:
  static constexpr std::size_t kNumPrompts = 8;
};

}  // namespace kv::bench
