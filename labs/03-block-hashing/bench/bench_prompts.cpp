#include "03-block-hashing/bench/bench_prompts.h"

#include <algorithm>
#include <random>

namespace kv::bench {

std::vector<Request> make_prompts(std::size_t num_prompts) {
  std::mt19937 random(7);
  std::uniform_int_distribution<TokenId> token(0, 151'935);
  std::vector<Request> prompts(num_prompts);
  for (Request& prompt : prompts) {
    prompt.block_size = kBlockSize;
    prompt.token_ids.resize(kPromptBlocks * kBlockSize);
    std::ranges::generate(prompt.token_ids, [&] { return token(random); });
    update_block_hashes(prompt);
  }
  return prompts;
}

}  // namespace kv::bench
