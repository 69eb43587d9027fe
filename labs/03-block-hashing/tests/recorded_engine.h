#pragma once
// Requests that live on a pool, and tell it.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "02-block-pool/tests/recorded_pool.h"
#include "03-block-hashing/tests/engine_fixture.h"

namespace kv::grader {

class RecordedEngine {
 public:
  RecordedEngine(std::size_t num_gpu_blocks,
                 std::size_t block_size,
                 Finder find = &BlockPool::find_longest_cache_hit)
      : engine_(num_gpu_blocks, block_size, find) {
    log_start(draw_pool(engine_.pool()), "RecordedEngine engine(" + std::to_string(num_gpu_blocks) +
                                             ", " + std::to_string(block_size) + ");");
  }

  EngineFixture& raw() { return engine_; }
  BlockPool& pool() { return engine_.pool(); }
  KVCacheBlock& block(BlockId id) { return pool().blocks()[static_cast<std::size_t>(id)]; }

  void admit(const std::string& name, const std::vector<TokenId>& token_ids) {
    record("request " + name + " with tokens " + draw(token_ids),
           [&] { engine_.admit(name, token_ids); });
  }
  void admit(const Request& request) {
    record("request " + request.request_id, [&] { engine_.admit(request); });
  }
  void share(const std::string& name) {
    record(name + " shares what is cached of it", [&] { engine_.share(name); });
  }
  void take(const std::string& name, std::size_t num_blocks) {
    record(name + " takes " + std::to_string(num_blocks), [&] { engine_.take(name, num_blocks); });
  }
  void seal(const std::string& name) {
    record("cache_full_blocks of " + name, [&] { engine_.seal(name); });
  }
  void append(const std::string& name, const std::vector<TokenId>& token_ids) {
    record(name + " gets tokens " + draw(token_ids),
           "append(\"" + name + "\", " + code_of(token_ids) + ")",
           [&] { append_output_token_ids(engine_.request(name), token_ids); });
  }
  void free(const std::string& name) {
    record(name + " is freed", "free(\"" + name + "\")", [&] { engine_.free(name); });
  }
  void evict(const Ids& ids) {
    record("evict_blocks(" + draw_blocks(ids) + ")", "evict(" + code_of(ids) + ")",
           [&] { pool().evict_blocks(ids); });
  }

  // admit and share at once.
  void expect_arrival(const std::string& name,
                      const std::vector<TokenId>& token_ids,
                      const std::string& lora_name,
                      const Ids& hit) {
    log_step(
        name + " arrives with " + draw(token_ids) + (lora_name.empty() ? "" : " for " + lora_name),
        "engine.expect_arrival(\"" + name + "\", " + code_of(token_ids) + ", \"" + lora_name +
            "\", " + code_of(hit) + ");");
    engine_.admit({name, pool().block_size(), token_ids, lora_name});
    expect_same("the longest hit of " + name + " to be ", draw(hit), draw(engine_.hit(name)));
    engine_.share(name);
    log_result(recorded_state(pool()));
  }

  // take what it lacks and seal at once; with too few blocks free, nothing.
  void expect_computed(const std::string& name, const std::optional<Ids>& expected) {
    const auto drawn = [](const auto& ids) { return ids ? draw(*ids) : "nullopt"; };
    std::optional<Ids> taken;
    record(name + " takes blocks and seals",
           "expect_computed(\"" + name + "\", " +
               (expected ? "Ids" + code_of(*expected) : "std::nullopt") + ")",
           [&] {
             taken = engine_.take(name, engine_.num_lacking(name));
             if (taken) engine_.seal(name);
           });
    expect_same("get_new_blocks to give ", drawn(expected), drawn(taken));
  }

  void expect_reset(bool expected) {
    const auto drawn = [](bool is_reset) { return is_reset ? "true" : "false"; };
    bool is_reset = false;
    record("reset_prefix_cache()", std::string("expect_reset(") + drawn(expected) + ")",
           [&] { is_reset = pool().reset_prefix_cache(); });
    expect_same("reset_prefix_cache to give ", drawn(expected), drawn(is_reset));
  }

  // admit, take and seal at once: a request that finds nothing.
  void compute(const std::string& name, const std::vector<TokenId>& token_ids) {
    admit(name, token_ids);
    take(name, engine_.num_lacking(name));
    seal(name);
  }

  void expect_hit(const std::string& name, const Ids& expected) {
    log_expectation(
        [&] { return "engine.expect_hit(\"" + name + "\", " + code_of(expected) + ");"; });
    expect_same("the longest hit of " + name + " to be ", expected, engine_.hit(name));
  }
  void expect_free(const Ids& expected) {
    log_expectation([&] { return "engine.expect_free(" + code_of(expected) + ");"; });
    expect_same("free ", expected, free_ids(pool()));
  }
  void expect_cached(const Ids& expected) {
    log_expectation([&] { return "engine.expect_cached(" + code_of(expected) + ");"; });
    expect_same("cached ", expected, cached_ids(pool()));
  }
  void audit() {
    log_expectation("engine.audit();");
    if (const auto broken = broken_pool_invariant(pool()))
      ADD_FAILURE() << "broken invariant " << *broken;
  }

 private:
  static void expect_same(const std::string& what,
                          const std::string& expected,
                          const std::string& yours) {
    if (yours != expected)
      ADD_FAILURE() << "expected " << what << expected << ", yours is " << yours;
  }

  static void expect_same(const std::string& what, const Ids& expected, const Ids& yours) {
    if (yours != expected) expect_same(what, draw(expected), draw(yours));
  }

  void record(const std::string& text, auto call) { record(text, "", call); }
  void record(const std::string& text, const std::string& code, auto call) {
    log_step(text, code.empty() ? code : "engine." + code + ";");
    call();
    log_result(recorded_state(engine_.pool()));
  }

  EngineFixture engine_;
};

}  // namespace kv::grader
