// Random histories of a prefix cache, in lockstep with two oracles: which request holds which
// block, and what is found. The second uses no hashes: it is a table of full prefixes.

#include <array>
#include <map>
#include <string>
#include <vector>

#include "03-block-hashing/tests/recorded_engine.h"
#include "grader/harness/history.h"
#include "grader/harness/note_options.h"
#include "reference/block_pool_oracle.h"
#include "reference/prefix_cache_oracle.h"

namespace kv::grader {
namespace {

// Four requests come and go: A, B, C, D.
class PrefixCacheModelTest : public ModelTest {
 public:
  // sizes: blocks, tokens in a block.
  explicit PrefixCacheModelTest(const Sizes& sizes,
                                Finder find = &BlockPool::find_longest_cache_hit,
                                bool has_events = false)
      : num_gpu_blocks_(sizes[0]),
        has_events_(has_events),
        block_size_(sizes[1]),
        engine_(num_gpu_blocks_, block_size_, find, has_events),
        pool_oracle_(num_gpu_blocks_),
        cache_oracle_(block_size_) {}

  void call(Choices choices) override {
    const std::size_t kind = choices.below(32);
    const std::string name(1, static_cast<char>('A' + choices.below(4)));
    if (kind == 31) {
      reset();
    } else if (kind == 30) {
      misuse(name);
    } else if (!requests_.contains(name)) {
      arrive(name, choices);
    } else if (kind < 12) {
      compute(name);
    } else if (kind < 20) {
      append(name, 1 + choices.below(2 * block_size_));
    } else if (kind < 23) {
      drop(name, choices);
    } else {
      free(name);
    }
  }

  void look() override {
    engine_.audit();
    engine_.expect_free(pool_oracle_.free_ids());
    engine_.expect_cached(cache_oracle_.cached_ids());
    expect_usage();
    for (std::size_t i = 0; i < num_gpu_blocks_; ++i) {
      const auto id = static_cast<BlockId>(i);
      engine_.expect_ref_cnt(id, pool_oracle_.ref_cnt(id));
    }
    for (const auto& [name, request] : requests_) {
      engine_.expect_hit(name, cache_oracle_.longest_hit(request.prompt));
    }
    if (has_events_) engine_.expect_events_agree();
  }

  // Every request ends, every block is claimed for another one, and no prefix is left.
  void finish() override {
    while (!requests_.empty()) free(requests_.begin()->first);
    look();
    oracle::Prompt prompt;
    prompt.token_ids.resize((num_gpu_blocks_ - 1) * block_size_, TokenId{2});
    requests_["Z"] = {prompt, {}, prompt.token_ids.size()};
    engine_.expect_arrival("Z", prompt.token_ids, "", {});
    pool_oracle_.get_new_blocks(num_gpu_blocks_ - 1);
    cache_oracle_.forget_all();
    engine_.take("Z", num_gpu_blocks_ - 1);
    look();
    engine_.expect_num_prefixes(0);
  }

 protected:
  // Step 3.17; no call makes it.
  void evict(BlockId id) {
    cache_oracle_.forget(id);
    engine_.evict({id});
  }

  std::size_t num_gpu_blocks_;
  bool has_events_;

 private:
  void expect_usage() {
    engine_.expect_usage(num_gpu_blocks_ - 1 - pool_oracle_.free_ids().size());
  }

  struct RunningRequest {
    oracle::Prompt prompt;
    Ids table;
    std::size_t num_sealed;
  };

  // The beginning of one of eight texts, then tokens of its own. Two texts differ from block 0, 2
  // or 4 on: bit i of the text's number says which token fills blocks 2 i and 2 i + 1. Why not the
  // beginnings of older prompts: without one of those, later calls would mean something else.
  oracle::Prompt prompt_of(Choices choices) const {
    oracle::Prompt prompt;
    const std::size_t text = choices.below(8);
    const std::size_t num_tokens = choices.below(6 * block_size_ + 1);
    for (std::size_t i = 0; i < num_tokens; ++i) {
      prompt.token_ids.push_back(static_cast<TokenId>(text >> (i / (2 * block_size_)) & 1));
    }
    for (std::size_t i = 1 + choices.below(block_size_); i > 0; --i) {
      prompt.token_ids.push_back(static_cast<TokenId>(choices.below(2)));
    }
    if (choices.below(8) == 7) prompt.lora_name = "poet";
    if (choices.below(8) == 7) prompt.cache_salt = "tenant";
    if (choices.below(4) == 3) prompt.images = some_images(choices);
    return prompt;
  }

  // One or two. Images 0 and 1 have one token; 2 and 3, each after one of those, touch three blocks
  // at least. Some tokens of an image may come later.
  std::vector<oracle::Image> some_images(Choices& choices) const {
    std::vector<oracle::Image> images = {
        {std::to_string(choices.below(2)), choices.below(2 * block_size_), 1}};
    if (choices.below(2) == 1)
      images.push_back({std::to_string(2 + choices.below(2)),
                        images[0].offset + 1 + choices.below(block_size_), 2 * block_size_ + 1});
    return images;
  }

  static std::vector<std::size_t> numbers_of(const std::vector<oracle::Image>& images) {
    std::vector<std::size_t> numbers;
    for (const oracle::Image& image : images)
      numbers.insert(numbers.end(), {std::stoul(image.identifier), image.offset, image.num_tokens});
    return numbers;
  }

  void note(const std::string& name, const oracle::Prompt& prompt, bool is_later_call) const {
    note_options({{"request_id", static_cast<std::size_t>(name[0])},
                  {"block_size", block_size_},
                  {"token_ids", prompt.token_ids.size()},
                  {"lora_name", prompt.lora_name.size()},
                  {"cache_salt", prompt.cache_salt.size()},
                  {"mm_features", prompt.images.size()},
                  {"has_events", has_events_},
                  {"is_later_call", is_later_call}});
    for (const oracle::Image& image : prompt.images)
      note_options({{"identifier", std::stoul(image.identifier)},
                    {"offset", image.offset},
                    {"num_tokens", image.num_tokens}});
  }

  void arrive(const std::string& name, Choices choices) {
    const oracle::Prompt prompt = prompt_of(choices);
    note(name, prompt, false);
    const Ids hit = cache_oracle_.longest_hit(prompt);
    pool_oracle_.touch(hit);
    requests_[name] = {prompt, hit, hit.size()};
    engine_.expect_arrival(name, prompt.token_ids, prompt.lora_name, hit, prompt.cache_salt,
                           numbers_of(prompt.images));
  }

  void compute(const std::string& name) {
    auto& [prompt, table, num_sealed] = requests_[name];
    const std::size_t num_tokens = prompt.token_ids.size();
    const std::size_t num_needed = (num_tokens + block_size_ - 1) / block_size_;
    const auto taken = pool_oracle_.get_new_blocks(num_needed - table.size());
    if (taken) {
      for (const BlockId id : *taken) cache_oracle_.forget(id);
      table.insert(table.end(), taken->begin(), taken->end());
      for (; num_sealed < num_tokens / block_size_; ++num_sealed) {
        if (table[num_sealed] != 0) cache_oracle_.add(prompt, num_sealed, table[num_sealed]);
      }
    }
    engine_.expect_computed(name, taken);
  }

  void append(const std::string& name, std::size_t num_tokens) {
    auto& token_ids = requests_[name].prompt.token_ids;
    token_ids.insert(token_ids.end(), num_tokens, TokenId{1});
    note(name, requests_[name].prompt, true);
    engine_.append(name, std::vector<TokenId>(num_tokens, TokenId{1}));
  }

  void drop(const std::string& name, Choices choices) {
    Ids& table = requests_[name].table;
    if (table.empty()) return;
    const std::size_t i = choices.below(table.size());
    pool_oracle_.free_blocks({std::exchange(table[i], 0)});
    engine_.drop(name, i);
  }

  // Seals a block a second time, twice in a row.
  void misuse(const std::string& name) {
    if (!requests_.contains(name)) return;
    const RunningRequest& running = requests_[name];
    const std::size_t end = running.num_sealed;
    if (end == 0 || !cache_oracle_.has(running.table[end - 1])) return;
    for (int i = 0; i < 2; ++i) {
      expect_refused(engine_, "it has a hash",
                     [&] { engine_.cache(name, running.table, end - 1, end); });
      if (may_look()) expect_usage();
    }
  }

  // Why a copy of the name: it may be that of the entry that is erased.
  void free(std::string name) {
    const Ids table = requests_[name].table;
    pool_oracle_.free_blocks({table.rbegin(), table.rend()});
    requests_.erase(name);
    engine_.free(name);
  }

  void reset() {
    const bool may_reset = pool_oracle_.holds().empty();
    if (may_reset) cache_oracle_.forget_all();
    engine_.expect_reset(may_reset);
  }

  std::size_t block_size_;
  RecordedEngine engine_;
  oracle::BlockPoolOracle pool_oracle_;
  oracle::PrefixCacheOracle cache_oracle_;
  std::map<std::string, RunningRequest> requests_;
};

// The same, with blocks evicted in the middle of chains.
class EvictingPrefixCacheModelTest : public PrefixCacheModelTest {
 public:
  using PrefixCacheModelTest::PrefixCacheModelTest;

  void call(Choices choices) override {
    if (choices.below(10) != 9) return PrefixCacheModelTest::call(choices);
    evict(static_cast<BlockId>(choices.below(num_gpu_blocks_)));
  }
};

// The same, with events on: a router that reads them all counts the blocks that can be found.
class EventsModelTest : public EvictingPrefixCacheModelTest {
 public:
  explicit EventsModelTest(const Sizes& sizes)
      : EvictingPrefixCacheModelTest(sizes, &BlockPool::find_longest_cache_hit, true) {}
};

// The same, with every prefix looked up by step 3.19.
class LookingAheadModelTest : public EvictingPrefixCacheModelTest {
 public:
  explicit LookingAheadModelTest(const Sizes& sizes)
      : EvictingPrefixCacheModelTest(sizes, &BlockPool::find_longest_cache_hit_ahead) {}
};

Sizes blocks_and_tokens(std::uint64_t seed) {
  constexpr std::array<std::size_t, 4> kBlockSizes = {1, 2, 4, 16};
  return {8 + seed % 57, kBlockSizes[seed % kBlockSizes.size()]};
}

TEST(PrefixCacheHistory, FiveHundredRuns) {
  SPEC("every history finds exactly what a table of full prefixes would",
       "3.15 reset_prefix_cache");
  expect_model_agrees<PrefixCacheModelTest>(
      {.num_runs = 500, .num_calls = 300, .sizes = blocks_and_tokens, .replay = "./lab grade 03"});
}

TEST(PrefixCacheHistory, WithBlocksEvictedInTheMiddle) {
  SPEC("the same, with blocks evicted in the middle of chains", "3.17 evict_blocks");
  expect_model_agrees<EvictingPrefixCacheModelTest>(
      {.num_runs = 200, .num_calls = 300, .sizes = blocks_and_tokens, .replay = "./lab grade 03"});
}

TEST(PrefixCacheHistory, WithEventsOn) {
  SPEC("the same with events on, which add up to the blocks that can be found", "3.18 take_events",
       "oldest first");
  expect_model_agrees<EventsModelTest>(
      {.num_runs = 200, .num_calls = 300, .sizes = blocks_and_tokens, .replay = "./lab grade 03"});
}

TEST(PrefixCacheHistory, LookingAhead) {
  SPEC("the same, when find_longest_cache_hit_ahead does the looking",
       "3.19 find_longest_cache_hit_ahead");
  expect_model_agrees<LookingAheadModelTest>(
      {.num_runs = 100, .num_calls = 300, .sizes = blocks_and_tokens, .replay = "./lab grade 03"});
}

}  // namespace

}  // namespace kv::grader
