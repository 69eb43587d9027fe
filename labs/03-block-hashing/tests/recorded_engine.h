#pragma once
// Runs requests on a pool and records each call.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "02-block-pool/tests/recorded_pool.h"
#include "03-block-hashing/tests/engine_fixture.h"

namespace kv::grader {

class RecordedEngine : public PoolExpectations {
 public:
  RecordedEngine(std::size_t num_gpu_blocks,
                 std::size_t block_size,
                 Finder find = &BlockPool::find_longest_cache_hit,
                 bool has_events = false)
      : engine_(num_gpu_blocks, block_size, find) {
    if (has_events) pool().enable_kv_cache_events();
    if (!is_recording()) return;
    const std::string sentence =
        std::string("{0} blocks of {1} tokens") + (has_events ? ", events on" : "");
    log_start("engine",
              {"BlockPool(num_gpu_blocks, block_size)", sentence,
               "RecordedEngine engine({0}, {1}" + code_of(find, has_events) + ");"},
              num_gpu_blocks, block_size);
    log_pool_state(state_of(pool()));
  }

  EngineFixture& raw() { return engine_; }
  BlockPool& pool() override { return engine_.pool(); }

  void admit(const std::string& name, const std::vector<TokenId>& token_ids) {
    log_step({"add_request(request_id, prompt_token_ids)", "request {0} with tokens {1}"}, name,
             token_ids);
    engine_.admit(name, token_ids);
    log_return();
  }
  void admit(const Request& request) {
    const std::string sentence = "request {0} with tokens {1}" + describe_extras(request);
    log_step({"add_request(request_id, prompt_token_ids)", sentence}, request.request_id,
             request.token_ids);
    engine_.admit(request);
    log_return();
  }
  void share(const std::string& name) {
    log_step({"touch(request_id)", "{0} shares what is cached of it"}, name);
    engine_.share(name);
    log_return();
  }
  void take(const std::string& name, std::size_t num_blocks) {
    log_step({"get_new_blocks(request_id, num_blocks)", "{0} takes {1}", "take({0}, {1})"}, name,
             num_blocks);
    engine_.take(name, num_blocks);
    log_return();
  }
  void seal(const std::string& name) {
    log_step({"cache_full_blocks(request_id)", "cache_full_blocks of {0}"}, name);
    engine_.seal(name);
    log_return();
  }
  // Caches with a table that the engine would not make.
  void cache(const std::string& name,
             const Ids& table,
             std::size_t num_cached_blocks,
             std::size_t num_full_blocks) {
    log_step({"cache_full_blocks(request_id, table, num_cached_blocks, num_full_blocks)",
              "cache_full_blocks of {0}, table {1}, from {2} to {3}", "cache({0}, {1}, {2}, {3})"},
             name, Blocks{table}, num_cached_blocks, num_full_blocks);
    pool().cache_full_blocks(engine_.request(name), blocks_of(pool(), table), num_cached_blocks,
                             num_full_blocks);
    log_pool_return(pool());
  }
  void append(const std::string& name, const std::vector<TokenId>& token_ids) {
    log_step({"append_output_token_ids(request_id, token_ids)", "{0} gets tokens {1}",
              "append({0}, {1})"},
             name, token_ids);
    append_output_token_ids(engine_.request(name), token_ids);
    log_return();
  }
  void free(const std::string& name) {
    log_step({"free_blocks(request_id)", "{0} is freed", "free({0})"}, name);
    engine_.free(name);
    log_return();
  }
  void drop(const std::string& name, std::size_t logical_block) {
    log_step(
        {"drop(request_id, logical_block)", "{0} drops block {1} of its table", "drop({0}, {1})"},
        name, logical_block);
    engine_.drop(name, logical_block);
    log_return();
  }
  void evict(const Ids& ids) {
    log_step({"evict_blocks(blocks)", "evict_blocks({0})", "evict({0})"}, Blocks{ids});
    pool().evict_blocks(ids);
    log_return();
  }

  bool maybe_evict(BlockId id) {
    log_step({"maybe_evict_cached_block(block)", "maybe_evict_cached_block({0})"}, Block{id});
    const bool is_evicted = pool().maybe_evict_cached_block(block(id));
    log_return(is_evicted);
    return is_evicted;
  }
  void expect_evicted(BlockId id, bool expected = true) {
    expect_same("maybe_evict_cached_block to give", expected, maybe_evict(id));
  }

  // The hash of a block is that of a block of the request.
  void expect_hash(BlockId id, const std::string& name, std::size_t logical_block) {
    const auto expected = std::optional(engine_.request(name).block_hashes.at(logical_block));
    if (block(id).block_hash == expected) return;
    ADD_FAILURE() << "expected #" << id << " to have the hash of block " << logical_block << " of "
                  << name << ", " << draw(expected) << ", yours has " << draw(block(id).block_hash);
  }

  // admit and share at once. images: the id, the first token and the number of tokens of each.
  void expect_arrival(const std::string& name,
                      const std::vector<TokenId>& token_ids,
                      const std::string& lora_name,
                      const Ids& hit,
                      const std::string& cache_salt = "",
                      const std::vector<std::size_t>& images = {}) {
    const std::string arrives = std::string("{0} arrives with {1}") +
                                (lora_name.empty() ? "" : " for {2}") +
                                (cache_salt.empty() ? "" : ", salt {3}") +
                                (images.empty() ? "" : ", images (id, first token, tokens) {4}");
    if (cache_salt.empty() && images.empty())
      log_step({"add_request(request_id, prompt_token_ids, lora_name)", arrives,
                "expect_arrival({0}, {1}, {2}, {=})"},
               name, token_ids, lora_name);
    else
      log_step({"add_request(request_id, prompt_token_ids, lora_name, cache_salt, images)", arrives,
                "expect_arrival({0}, {1}, {2}, {=}, {3}, {4})"},
               name, token_ids, lora_name, cache_salt, images);
    log_expected_result(hit);
    Request request{name, pool().block_size(), token_ids, lora_name, cache_salt};
    for (std::size_t i = 0; i < images.size(); i += 3)
      request.mm_features.push_back({std::to_string(images[i]), images[i + 1], images[i + 2]});
    engine_.admit(request);
    expect_same("the longest hit of " + name + " to be", hit, engine_.hit(name));
    engine_.share(name);
    log_return();
  }

  // take what it lacks and seal at once; with too few blocks free, nothing.
  void expect_computed(const std::string& name, const std::optional<Ids>& expected) {
    log_step(
        {"allocate_slots(request_id)", "{0} takes blocks and seals", "expect_computed({0}, {=})"},
        name);
    log_expected_result(expected);
    const auto taken = engine_.take(name, engine_.num_lacking(name));
    if (taken) engine_.seal(name);
    log_return();
    expect_same("get_new_blocks to give", expected, taken);
  }

  bool reset() {
    log_step({"reset_prefix_cache()", "reset_prefix_cache()"});
    const bool is_reset = pool().reset_prefix_cache();
    log_return(is_reset);
    return is_reset;
  }
  void expect_reset(bool expected) {
    log_step({"reset_prefix_cache()", "reset_prefix_cache()", "expect_reset({=})"});
    log_expected_result(expected);
    const bool is_reset = pool().reset_prefix_cache();
    log_return();
    expect_same("reset_prefix_cache to give", expected, is_reset);
  }

  // admit, take and seal at once: a request that finds nothing.
  void compute(const std::string& name, const std::vector<TokenId>& token_ids) {
    admit(name, token_ids);
    take(name, engine_.num_lacking(name));
    seal(name);
  }

  // The same for a long prompt: recorded as one call, without its tokens.
  void compute_long(const std::string& name, const std::vector<TokenId>& token_ids) {
    engine_.admit(name, token_ids);
    const std::size_t num_blocks = engine_.num_lacking(name);
    log_step(name + " takes and seals " + std::to_string(num_blocks) + " blocks");
    engine_.take(name, num_blocks);
    engine_.seal(name);
    log_returned();
  }

  void expect_hit(const std::string& name, const Ids& expected) {
    log_expectation({"hit(request_id, blocks)", "", "expect_hit({0}, {1})"}, name, expected);
    const Ids hit = engine_.hit(name);
    log_detail("hits." + name, hit);
    expect_same("the longest hit of " + name + " to be", expected, hit);
  }

 private:
  static std::string code_of(Finder find, bool has_events) {
    const bool is_plain = find == &BlockPool::find_longest_cache_hit;
    if (is_plain && !has_events) return "";
    const std::string name = is_plain ? "find_longest_cache_hit" : "find_longest_cache_hit_ahead";
    return ", &BlockPool::" + name + (has_events ? ", true" : "");
  }

  template <class... Result>
  void log_return(const Result&... result) {
    if (!is_recording()) return;
    log_pool_return(pool(), result...);
    if (!may_look()) return;
    for (const std::string& name : engine_.names()) {
      log_detail("block_tables." + name, engine_.table(name));
      log_detail("num_tokens." + name, engine_.request(name).token_ids.size());
    }
  }

  EngineFixture engine_;
};

}  // namespace kv::grader
