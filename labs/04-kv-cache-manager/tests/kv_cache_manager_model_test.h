#pragma once
// A manager in lockstep with an oracle that has no hash, no ref count and no list. A memory stands
// for the keys and values: what is written into a slot names the text up to there, and a request
// that reads a slot of its own has to find its own text (I13).

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "04-kv-cache-manager/tests/recorded_manager.h"
#include "grader/harness/history.h"
#include "grader/harness/note_options.h"
#include "reference/kv_cache_manager_oracle.h"

namespace kv::grader {

// Four requests come and go: A, B, C, D.
class KVCacheManagerModelTest : public ModelTest {
 public:
  // sizes: blocks, tokens in a block, whether caching is on, whether events are.
  explicit KVCacheManagerModelTest(const Sizes& sizes)
      : num_gpu_blocks_(sizes[0]),
        block_size_(sizes[1]),
        enable_caching_(sizes[2] != 0),
        has_events_(sizes[3] != 0),
        manager_({num_gpu_blocks_, block_size_, 7 * block_size_ + 1, enable_caching_, has_events_}),
        oracle_(num_gpu_blocks_, block_size_, 7 * block_size_ + 1, enable_caching_),
        memory_(num_gpu_blocks_ * block_size_) {}

  void call(Choices choices) override {
    const std::size_t kind = choices.below(32);
    const std::string name = any_name(choices);
    if (kind == 31) {
      manager_.expect_reset(oracle_.forget_all());
    } else if (kind == 30) {
      evict(static_cast<BlockId>(choices.below(num_gpu_blocks_)));
    } else if (kind > 27) {
      misuse(name, choices);
    } else if (!requests_.contains(name)) {
      admit(name, choices);
    } else if (kind < 20) {
      allocate(name, choices);
    } else if (kind < 23) {
      preempt(name);
    } else {
      end(name);
    }
  }

  void look() override {
    manager_.audit();
    manager_.expect_free(oracle_.free_ids());
    manager_.expect_cached(oracle_.cached_ids());
    expect_usage();
    if (has_events_) manager_.expect_events_agree();
    for (const auto& [name, request] : requests_) {
      manager_.expect_table(name, oracle_.table(name));
      if (testing::Test::HasFailure()) return;
      look_at_text(name);
      if (!oracle_.table(name).empty()) {
        manager_.expect_common(name, oracle_.num_common(name));
        continue;
      }
      const auto found = manager_.raw().get_computed_blocks(manager_.request(name));
      const Ids expected = oracle_.computed_blocks(request.prompt);
      if (ids_of(found.blocks) == expected) continue;
      log_expectation({"computed_blocks(request_id, blocks)", "", "expect_found({0}, {1})"}, name,
                      expected);
      expect_same("get_computed_blocks(" + name + ") to give", expected, ids_of(found.blocks));
    }
  }

  // Every request ends, every block is given to another one, and no prefix is left.
  void finish() override {
    while (!requests_.empty()) end(requests_.begin()->first);
    look();
    manager_.take(num_gpu_blocks_ - 1);
    manager_.expect_num_prefixes(0);
  }

 protected:
  struct ModelRequest {
    oracle::KVCacheManagerOracle::Prompt prompt;
    std::vector<std::uint64_t> texts;  // [position]: names the text up to there
    std::size_t num_computed = 0;
  };

  virtual std::string any_name(Choices& choices) const {
    return std::string(1, static_cast<char>('A' + choices.below(4)));
  }

  // The request has lost its blocks.
  virtual void note_left(const std::string&) {}

  // Why a copy: the name may be that of the entry which is erased.
  void end(std::string name) {
    oracle_.free(name);
    manager_.free(name);
    requests_.erase(name);
    note_left(name);
  }

  // Why kept here too: the oracle's side must not depend on what the student's code has counted.
  std::map<std::string, ModelRequest> requests_;
  std::size_t num_gpu_blocks_;
  std::size_t block_size_;
  bool enable_caching_;
  bool has_events_;
  RecordedManager manager_;
  oracle::KVCacheManagerOracle oracle_;

 private:
  void expect_usage() { manager_.expect_usage(num_gpu_blocks_ - 1 - oracle_.free_ids().size()); }

  // A position of a text: the text before it and its token.
  static void append_to(ModelRequest& request, TokenId token) {
    const std::uint64_t before =
        request.texts.empty() ? request.prompt.tenant.size() + 1 : request.texts.back();
    request.texts.push_back((before ^ static_cast<std::uint64_t>(token + 1)) *
                            0x9E37'79B9'7F4A'7C15);
    request.prompt.token_ids.push_back(token);
  }

  // The beginning of one of eight texts, then tokens of its own, as in lab 03's histories.
  void admit(const std::string& name, Choices& choices) {
    ModelRequest& request = requests_[name];
    const std::size_t text = choices.below(8);
    const std::size_t num_tokens = choices.below(5 * block_size_ + 1);
    if (choices.below(8) == 7) request.prompt.tenant = "salt";
    request.prompt.reads_cache = choices.below(8) != 7;
    for (std::size_t i = 0; i < num_tokens; ++i)
      append_to(request, static_cast<TokenId>(text >> (i / (2 * block_size_)) & 1));
    append_to(request, static_cast<TokenId>(choices.below(2)));
    manager_.admit({.request_id = name,
                    .block_size = block_size_,
                    .token_ids = request.prompt.token_ids,
                    .cache_salt = request.prompt.tenant,
                    .skip_reading_prefix_cache = !request.prompt.reads_cache});
  }

  void note(const std::string& name,
            const ModelRequest& request,
            const Asked& asked,
            std::size_t num_found,
            std::size_t num_drafts,
            std::size_t num_left_for_later) const {
    note_options({{"new_computed_blocks", asked.hits.size()},
                  {"has_fewer_hits", num_found - asked.hits.size()},
                  {"num_lookahead_tokens", asked.num_lookahead_tokens},
                  {"full_sequence_must_fit", asked.full_sequence_must_fit},
                  {"num_drafts", num_drafts},
                  {"num_left_for_later", num_left_for_later},
                  {"num_computed_tokens", request.num_computed},
                  {"cache_salt", request.prompt.tenant.size()},
                  {"skip_reading_prefix_cache", !request.prompt.reads_cache},
                  {"is_fork", name.size() > 1},
                  {"is_caching_off", !enable_caching_},
                  {"has_events", has_events_}});
  }

  // All that is left of the prompt, or a chunk, with the hits or some of them; with draft tokens,
  // of which some are accepted.
  void allocate(const std::string& name, Choices& choices) {
    ModelRequest& request = requests_.at(name);
    Ids hits = oracle_.table(name).empty() ? oracle_.computed_blocks(request.prompt) : Ids{};
    const std::size_t num_found = hits.size();
    if (choices.below(8) == 7) hits.resize(choices.below(num_found + 1));
    const std::size_t num_before = request.num_computed + hits.size() * block_size_;
    const std::size_t num_left = request.prompt.token_ids.size() - num_before;
    const std::size_t num_tokens = choices.below(3) == 2 ? 1 + choices.below(num_left) : num_left;
    const std::size_t num_drafts = num_tokens == num_left ? choices.below(8) / 4 * 2 : 0;
    const Asked asked{.hits = hits,
                      .num_lookahead_tokens = choices.below(6) == 5 ? choices.below(9) : 0,
                      .full_sequence_must_fit = choices.below(4) == 3};
    if (request.prompt.token_ids.size() + num_drafts > 7 * block_size_) return end(name);
    note(name, request, asked, num_found, num_drafts, num_left - num_tokens);
    const auto expected =
        oracle_.allocate(name, request.prompt,
                         {request.num_computed, num_tokens + num_drafts, asked.num_lookahead_tokens,
                          asked.full_sequence_must_fit},
                         hits);
    expect_answer(name, num_tokens + num_drafts, asked, expected);
    if (!expected) return;
    write(request, oracle_.table(name), num_before, num_tokens);
    request.num_computed = num_before + num_tokens;
    manager_.compute(name, hits.size() * block_size_ + num_tokens);
    if (num_tokens == num_left) sample(name, request, num_drafts, choices);
  }

  void expect_answer(const std::string& name,
                     std::size_t num_new_tokens,
                     const Asked& asked,
                     const std::optional<oracle::KVCacheManagerOracle::Answer>& expected) {
    std::vector<BlockCopy> copies;
    if (expected) {
      for (const auto& copy : expected->copies)
        copies.push_back({copy.source, copy.destination, copy.num_slots});
    }
    manager_.expect_allocated(name, num_new_tokens,
                              expected ? std::optional(expected->new_blocks) : std::nullopt, asked,
                              copies);
    for (const BlockCopy& copy : copies) {
      for (std::size_t i = 0; i < copy.num_slots; ++i)
        memory_[slot_of(copy.destination, i)] = memory_[slot_of(copy.source, i)];
    }
  }

  // The draft tokens are accepted or not, and one more token is sampled.
  void sample(const std::string& name,
              ModelRequest& request,
              std::size_t num_drafts,
              Choices& choices) {
    Tokens tokens;
    for (std::size_t i = choices.below(num_drafts + 1) + 1; i > 0; --i)
      tokens.push_back(static_cast<TokenId>(choices.below(2)));
    for (const TokenId token : tokens) append_to(request, token);
    manager_.append(name, tokens);
    const std::size_t num_accepted = tokens.size() - 1;
    if (num_accepted == 0) return;
    write(request, oracle_.table(name), request.num_computed, num_accepted);
    request.num_computed += num_accepted;
    manager_.compute(name, num_accepted);
  }

  std::size_t slot_of(BlockId id, std::size_t offset) const {
    return static_cast<std::size_t>(id) * block_size_ + offset;
  }
  void write(const ModelRequest& request, const Ids& table, std::size_t first, std::size_t num) {
    for (std::size_t i = first; i < first + num; ++i)
      memory_[slot_of(table[i / block_size_], i % block_size_)] = request.texts[i];
  }

  // I13: what the request has computed is in its own slots.
  void look_at_text(const std::string& name) {
    const ModelRequest& request = requests_.at(name);
    const auto blocks = manager_.raw().get_blocks(name).blocks();
    for (std::size_t i = 0; i < request.num_computed; ++i) {
      const KVCacheBlock& block = *blocks[i / block_size_];
      if (memory_[slot_of(block.block_id, i % block_size_)] == request.texts[i]) continue;
      log_expectation({"text(request_id, position)", ""}, name, i);
      ADD_FAILURE() << "broken invariant I13: position " << i << " of " << name << ", in #"
                    << block.block_id << ", holds the keys of another text";
      return;
    }
  }

  void preempt(const std::string& name) {
    oracle_.free(name);
    requests_.at(name).num_computed = 0;
    manager_.preempt(name);
    note_left(name);
  }
  void evict(BlockId id) {
    oracle_.forget(id);
    manager_.evict({id});
  }

  // Calls that are refused, on a request with blocks or without.
  void misuse(const std::string& name, Choices& choices) {
    if (!requests_.contains(name)) return;
    const std::size_t kind = choices.below(3);
    const Ids cached = oracle_.cached_ids();
    if (kind == 0) manager_.expect_allocation_refused(name, 0, "0 new tokens");
    if (kind == 1 && !oracle_.table(name).empty() && !cached.empty())
      manager_.expect_allocation_refused(name, 1, "it has blocks", {.hits = {cached.front()}});
    if (kind == 2 && oracle_.table(name).empty())
      manager_.expect_allocation_refused(name, 1, "#0 is no hit", {.hits = {0}});
    if (may_look()) expect_usage();
  }

  std::vector<std::uint64_t> memory_;  // [slot]
};

}  // namespace kv::grader
