// Random histories: the block manager in lockstep with an oracle that has no hash, no ref count and
// no list.

#include <array>

#include "04-kv-cache-manager/tests/block_manager_recorder.h"
#include "grader/harness/history.h"
#include "reference/block_manager_oracle.h"

namespace kv::grader {
namespace {

// Four sequences come and go: A, B, C, D.
class BlockManagerModelTest : public ModelTest {
 public:
  // sizes: blocks, tokens in a block.
  explicit BlockManagerModelTest(const Sizes& sizes)
      : num_blocks_(sizes[0]),
        block_size_(sizes[1]),
        manager_(num_blocks_, block_size_),
        oracle_(num_blocks_, block_size_) {}

  void call(Choices choices) override {
    const std::size_t kind = choices.below(16);
    const std::string name(1, static_cast<char>('A' + choices.below(4)));
    if (!texts_.contains(name)) return admit(name, choices);
    if (kind > 12) return end(name);
    if (kind == 12) return misuse(name);
    if (oracle_.table(name).empty()) return allocate(name);
    if (num_left(name) > 0) return compute(name, 1 + choices.below(num_left(name)));
    decode(name, choices);
  }

  void look() override {
    manager_.audit();
    manager_.expect_free(oracle_.free_ids());
    manager_.expect_cached(oracle_.cached_ids());
    manager_.expect_num_prefixes(oracle_.num_prefixes());
    for (const auto& [name, text] : texts_) {
      manager_.expect_table(name, oracle_.table(name));
      manager_.expect_computed(name, num_computed_[name]);
      const Request& request = manager_.sequence(name).request;
      const Ids found = ids_of(manager_.raw().get_cached_blocks(request));
      if (found != oracle_.found(text))
        log_expectation({"cached_blocks(sequence, blocks)", "", "expect_found({0}, {1})"}, name,
                        oracle_.found(text));
      expect_same("get_cached_blocks(" + name + ") to give", oracle_.found(text), found);
    }
  }

  // Every block is given to another sequence, and no prefix is left.
  void finish() override {
    while (!texts_.empty()) end(texts_.begin()->first);
    look();
    for (const BlockId id : oracle_.free_ids()) manager_.expect_block(id);
    manager_.expect_num_prefixes(0);
  }

 private:
  std::size_t num_left(const std::string& name) {
    return texts_[name].size() - 1 - num_computed_[name];
  }

  // The beginning of one of eight texts, then a token of its own.
  void admit(const std::string& name, Choices& choices) {
    const std::size_t text = choices.below(8);
    const bool is_salted = choices.below(8) == 7;
    const std::size_t num_tokens = choices.below(5 * block_size_ + 1);
    Tokens tokens;
    for (std::size_t i = 0; i < num_tokens; ++i)
      tokens.push_back(static_cast<TokenId>(text >> (i / (2 * block_size_)) & 1));
    tokens.push_back(static_cast<TokenId>(choices.below(2)));
    texts_[name] = {is_salted ? 1 : 0};
    texts_[name].insert(texts_[name].end(), tokens.begin(), tokens.end());
    num_computed_[name] = 0;
    manager_.admit(name, tokens, is_salted ? "salt" : "");
  }
  void allocate(const std::string& name) {
    const Ids hits = oracle_.found(texts_[name]);
    manager_.expect_can_allocate(name, oracle_.can_allocate(texts_[name]));
    const bool expected = oracle_.allocate(name, texts_[name]);
    manager_.expect_allocated(name, hits.size(), expected);
    if (expected) num_computed_[name] = hits.size() * block_size_;
  }
  void compute(const std::string& name, std::size_t num_tokens) {
    const std::size_t first = num_computed_[name];
    oracle_.fill(name, texts_[name], first, first + num_tokens);
    num_computed_[name] += num_tokens;
    manager_.hash(name, num_tokens);
  }
  void decode(const std::string& name, Choices& choices) {
    if (texts_[name].size() > 7 * block_size_) return end(name);
    const Tokens tokens(1 + choices.below(8) / 7, static_cast<TokenId>(choices.below(2)));
    texts_[name].insert(texts_[name].end(), tokens.begin(), tokens.end());
    manager_.append(name, tokens);
    manager_.expect_can_append(name, oracle_.can_grow(name, texts_[name]));
    const bool expected = oracle_.grow(name, texts_[name]);
    manager_.expect_may_append(name, expected);
    if (!expected) preempt(name);
  }
  void preempt(const std::string& name) {
    oracle_.deallocate(name);
    num_computed_[name] = 0;
    manager_.deallocate(name);
  }
  void end(const std::string& name) {
    preempt(name);
    texts_.erase(name);
  }
  void misuse(const std::string& name) {
    const std::size_t num_hits = oracle_.found(texts_[name]).size();
    const bool has_blocks = !oracle_.table(name).empty();
    if (has_blocks) manager_.expect_allocation_refused(name, num_hits, "it has blocks");
    if (!has_blocks) manager_.expect_allocation_refused(name, num_hits + 1, "fewer are found");
    manager_.expect_hash_refused(name, num_left(name) + 1, "there are fewer tokens");
  }

  std::size_t num_blocks_;
  std::size_t block_size_;
  RecordedBlockManager manager_;
  oracle::BlockManagerOracle oracle_;
  std::map<std::string, oracle::BlockManagerOracle::Text> texts_;
  std::map<std::string, std::size_t> num_computed_;
};

Sizes blocks_and_tokens(std::uint64_t seed) {
  constexpr std::array<std::size_t, 3> kBlockSizes = {1, 2, 4};
  return {4 + seed % 29, kBlockSizes[seed % kBlockSizes.size()]};
}

TEST(BlockManagerHistory, ThreeHundredRuns) {
  SPEC("every history gives the blocks that a search through all texts would give", kBlockManager);
  expect_model_agrees<BlockManagerModelTest>(
      {.num_runs = 300, .num_calls = 200, .sizes = blocks_and_tokens, .replay = "./lab grade 04"});
}

}  // namespace
}  // namespace kv::grader
