#pragma once
// The state that a recording of vLLM (reference/golden/block_steps.h) writes after a call.

#include <algorithm>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "01-free-queue/tests/recorded_lines.h"
#include "02-block-pool/tests/recorded_pool.h"

namespace kv::grader {

class RecordedPoolState {
 public:
  // How the recording writes the hash of a block.
  void name(BlockHash hash, const std::string& number) { numbers_[hash] = number; }
  void name(const std::vector<BlockHash>& hashes, const Words& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) name(hashes.at(i), numbers[i]);
  }

  // part: "cached 1:0 2:1"; only those that have changed are written.
  void read(const std::string& part) {
    const Words words = words_of(part);
    const Words values(words.begin() + 1, words.end());
    if (words[0] == "free") free_ = ids_in(values.at(0));
    if (words[0] == "used") used_ = values;
    if (words[0] == "cached") cached_ = values;
    if (words[0] == "events") events_ = values;
  }

  // Requires: the events of the pool were on from the beginning.
  void expect(PoolExpectations& recorder) {
    BlockPool& pool = recorder.pool();
    recorder.expect_free(free_);
    expect_same("the users of blocks to be", used_, used_blocks(ref_counts(pool)));
    expect_same("the hashes of cached blocks to be", cached_, cached_blocks(pool));
    Words yours;
    for (const KVCacheEvent& event : pool.take_events()) yours.push_back(text_of(event));
    std::ranges::sort(yours);
    expect_same("the events to be", events_, yours);
    events_.clear();
  }

 private:
  std::string number_of(BlockHash hash) const {
    const auto found = numbers_.find(hash);
    return found == numbers_.end() ? "another" : found->second;
  }
  Words cached_blocks(BlockPool& pool) const {
    Words cached;
    for (const KVCacheBlock& block : pool.blocks())
      if (block.block_hash)
        cached.push_back(std::to_string(block.block_id) + ":" + number_of(*block.block_hash));
    return cached;
  }
  std::string text_of(const KVCacheEvent& event) const {
    if (std::holds_alternative<AllBlocksCleared>(event)) return "cleared";
    if (const auto* removed = std::get_if<BlockRemoved>(&event))
      return "removed:" + number_of(removed->block_hash);
    const auto& stored = std::get<BlockStored>(event);
    std::string text;
    for (const BlockHash hash : stored.block_hashes)
      text += (text.empty() ? "" : ".") + number_of(hash);
    const auto& parent = stored.parent_block_hash;
    return "stored:" + text + ":" + (parent ? number_of(*parent) : "-");
  }

  std::unordered_map<BlockHash, std::string> numbers_;
  Ids free_;
  Words used_, cached_, events_;
};

}  // namespace kv::grader
