#pragma once
// Requests that decode beside each other, a token each in every step.

#include <cstddef>
#include <string>
#include <vector>

#include "04-kv-cache-manager/bench/full_pool.h"

namespace kv::bench {

// Each request grows from 1 block to 3, ends, and starts again with other tokens. So in every step
// 1 of 16 fills a block, which is cached, and 1 of 16 takes a block, which is evicted for it.
template <class Manager>
class RunningBatch {
 public:
  RunningBatch(std::size_t num_blocks, std::size_t num_requests)
      : pool_(num_blocks, kBlocksOfThePast), running_(num_requests) {
    for (std::size_t i = 0; i < num_requests; ++i) {
      running_[i] = {new_request("running-" + std::to_string(i))};
      start(running_[i], kMinTokens + i % (kMaxTokens - kMinTokens));
    }
    for (std::size_t i = 0; i < kMaxTokens; ++i) {
      append_tokens();
      extend();
    }
    std::vector<BlockId> ids;
    for (Prompt& running : running_) {
      for (const auto* block : pool_.manager().find(running)) ids.push_back(block->block_id);
    }
    answer_ = fingerprint(ids);
  }

  double answer() const { return answer_; }  // fingerprint of each request's cached blocks

  // What is between two steps.
  void append_tokens() {
    for (Prompt& running : running_) {
      Request& request = Manager::request_of(running);
      if (request.token_ids.size() == kMaxTokens) {
        pool_.manager().finish(running);
        start(running, kMinTokens);
      }
      append_output_token_ids(request, pool_.tokens().next(1));
    }
  }

  // The step.
  void extend() {
    for (Prompt& running : running_) pool_.manager().extend(running);
  }

 private:
  using Prompt = typename Manager::Prompt;
  static constexpr std::size_t kMinTokens = kBlockSize, kMaxTokens = 3 * kBlockSize;
  static constexpr std::size_t kBlocksOfThePast = 64;  // blocks of each prompt that filled the pool

  void start(Prompt& prompt, std::size_t num_tokens) {
    set_tokens(Manager::request_of(prompt), pool_.tokens().next(num_tokens));
    pool_.manager().extend(prompt);
  }

  FullPool<Manager> pool_;
  std::vector<Prompt> running_;
  double answer_ = 0;
};

}  // namespace kv::bench
