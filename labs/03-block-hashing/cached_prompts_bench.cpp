// In a translation unit of its own: called as the block pool is.

#include "03-block-hashing/cached_prompts_bench.h"

namespace kv::bench {
namespace {

PrefixTable::Block block_of(const Request& request, std::size_t i, std::optional<PrefixId> parent) {
  return {parent, request.block_hashes[i], request.block_token_ids(i), request.block_extra_keys[i]};
}

}  // namespace

Blocks ExactBlockByBlock::walk(const Request& request) const {
  Blocks hits;
  std::optional<PrefixId> prefix;
  while (hits.size() < request.block_hashes.size()) {
    prefix = prefixes_.find(block_of(request, hits.size(), prefix));
    KVCacheBlock* block = prefix ? cached_.get_one_block(*prefix) : nullptr;
    if (block == nullptr) break;
    hits.push_back(block);
  }
  return hits;
}

void ExactBlockByBlock::evict(KVCacheBlock& block) {
  cached_.pop(block.prefix_id, block.block_id);
  prefixes_.release(block.prefix_id);
}

void ExactBlockByBlock::insert(const Request& request, const Blocks& table, std::size_t i) {
  const auto parent = i == 0 ? std::nullopt : std::optional(table[i - 1]->prefix_id);
  table[i]->prefix_id = prefixes_.intern(block_of(request, i, parent));
  cached_.insert(table[i]->prefix_id, *table[i]);
}

Blocks HashOnly::walk(const Request& request) const {
  Blocks hits;
  for (const BlockHash hash : request.block_hashes) {
    const auto found = cached_.find(hash);
    if (found == cached_.end()) break;
    hits.push_back(found->second);
  }
  return hits;
}

void HashOnly::evict(KVCacheBlock& block) {
  cached_.erase(*block.block_hash);
  block.block_hash.reset();
}

void HashOnly::insert(const Request& request, const Blocks& table, std::size_t i) {
  table[i]->block_hash = request.block_hashes[i];
  cached_.emplace(request.block_hashes[i], table[i]);
}

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
