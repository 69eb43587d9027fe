// Random histories: the manager does what the log of its calls says, and no request ever reads the
// keys of another text.

#include <array>
#include <set>

#include "04-kv-cache-manager/tests/kv_cache_manager_model_test.h"

namespace kv::grader {
namespace {

// The same with forks, "Aa" and "Ab" of A, which are written to, accepted and rejected.
class ForkingModelTest : public KVCacheManagerModelTest {
 public:
  using KVCacheManagerModelTest::KVCacheManagerModelTest;

  void call(Choices choices) override {
    const std::size_t kind = choices.below(8);
    if (kind < 6) return KVCacheManagerModelTest::call(choices);
    const std::string name = any_name(choices);
    const std::string child = name + (choices.below(2) == 0 ? "a" : "b");
    if (kind == 6 && has_blocks(name) && !has_blocks(child) && child.size() < 4)
      fork(name, child, choices);
    if (kind == 7 && has_blocks(name) && is_fork(child, name)) accept(name, child);
    if (kind == 7 && has_blocks(name) && !is_fork(child, name)) refuse(name, child);
  }

 private:
  bool has_blocks(const std::string& name) const { return !oracle_.table(name).empty(); }
  bool is_fork(const std::string& child, const std::string& parent) const {
    return parents_.contains(child) && parents_.at(child) == parent;
  }

  std::string any_name(Choices& choices) const override {
    std::string name = KVCacheManagerModelTest::any_name(choices);
    for (int i = 0; i < 2; ++i) {
      const std::string child = name + (choices.below(2) == 0 ? "a" : "b");
      if (choices.below(2) == 1 && requests_.contains(child)) name = child;
    }
    return name;
  }

  void fork(const std::string& parent, const std::string& child, Choices& choices) {
    oracle_.fork(parent, child);
    requests_[child] = requests_.at(parent);
    note_left(child);
    parents_[child] = parent;
    manager_.fork(parent, child);
    if (choices.below(2) == 1) keep(child, 1 + choices.below(requests_[child].texts.size()));
  }
  void keep(const std::string& name, std::size_t num_tokens) {
    ModelRequest& request = requests_.at(name);
    request.prompt.token_ids.resize(num_tokens);
    request.texts.resize(num_tokens);
    request.num_computed = std::min(request.num_computed, num_tokens - 1);
    manager_.keep(name, num_tokens);
  }
  void accept(const std::string& parent, const std::string& child) {
    oracle_.accept(parent, child);
    requests_[parent] = requests_.at(child);
    requests_.erase(child);
    note_left(child);
    manager_.accept(parent, child);
  }
  void refuse(const std::string& parent, const std::string& child) {
    if (!requests_.contains(child) || parents_.contains(child) || orphans_.contains(child)) return;
    manager_.expect_accept_refused(parent, child, "it is no fork of this parent any more");
  }
  // What is gone is no fork any more. A fork of it is an orphan: the contract does not say whether
  // a later request of the same id may accept it.
  void note_left(const std::string& name) override {
    parents_.erase(name);
    orphans_.erase(name);
    for (const auto& [child, parent] : parents_)
      if (parent == name) orphans_.insert(child);
    std::erase_if(parents_, [&](const auto& link) { return link.second == name; });
  }

  std::map<std::string, std::string> parents_;  // each fork, and its parent
  std::set<std::string> orphans_;
};

// Caching is off in one run of eight, and events are on in one of three.
Sizes blocks_tokens_caching_events(std::uint64_t seed) {
  constexpr std::array<std::size_t, 4> kBlockSizes = {1, 2, 4, 16};
  return {8 + seed % 57, kBlockSizes[seed % kBlockSizes.size()], seed % 8 == 5 ? 0u : 1u,
          seed % 3 == 2 ? 1u : 0u};
}

TEST(KVCacheManagerHistory, SixHundredRuns) {
  SPEC("every history gives the blocks that a log of all texts would give",
       "4.9 get_num_common_prefix_blocks");
  expect_model_agrees<KVCacheManagerModelTest>({.num_runs = 600,
                                                .num_calls = 300,
                                                .sizes = blocks_tokens_caching_events,
                                                .replay = "./lab grade 04"});
}

TEST(KVCacheManagerHistory, FourHundredRunsWithForks) {
  SPEC("the same with forks: every copy is listed, and no fork writes into the blocks of another",
       "4.12 accept");
  expect_model_agrees<ForkingModelTest>({.num_runs = 400,
                                         .num_calls = 300,
                                         .sizes = blocks_tokens_caching_events,
                                         .replay = "./lab grade 04"});
}

}  // namespace
}  // namespace kv::grader
