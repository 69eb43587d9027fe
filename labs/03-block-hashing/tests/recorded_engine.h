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
      : world_(num_gpu_blocks, block_size, find) {
    start(draw_pool(world_.pool()), "RecordedEngine world(" + std::to_string(num_gpu_blocks) +
                                        ", " + std::to_string(block_size) + ");");
  }

  EngineFixture& raw() { return world_; }
  BlockPool& pool() { return world_.pool(); }
  KVCacheBlock& block(BlockId id) { return pool().blocks()[static_cast<std::size_t>(id)]; }

  void admit(const std::string& name, const std::vector<TokenId>& token_ids) {
    tell("request " + name + " with tokens " + draw(token_ids),
         [&] { world_.admit(name, token_ids); });
  }
  void admit(const Request& request) {
    tell("request " + request.request_id, [&] { world_.admit(request); });
  }
  void share(const std::string& name) {
    tell(name + " shares what is cached of it", [&] { world_.share(name); });
  }
  void take(const std::string& name, std::size_t num_blocks) {
    tell(name + " takes " + std::to_string(num_blocks), [&] { world_.take(name, num_blocks); });
  }
  void seal(const std::string& name) {
    tell("cache_full_blocks of " + name, [&] { world_.seal(name); });
  }
  void append(const std::string& name, const std::vector<TokenId>& token_ids) {
    tell(name + " gets tokens " + draw(token_ids),
         "append(\"" + name + "\", " + code_of(token_ids) + ")",
         [&] { append_output_token_ids(world_.request(name), token_ids); });
  }
  void leave(const std::string& name) {
    tell(name + " is freed", "leave(\"" + name + "\")", [&] { world_.leave(name); });
  }
  void evict(const Ids& ids) {
    tell("evict_blocks(" + draw_blocks(ids) + ")", "evict(" + code_of(ids) + ")",
         [&] { pool().evict_blocks(ids); });
  }

  // admit and share at once.
  void expect_arrival(const std::string& name,
                      const std::vector<TokenId>& token_ids,
                      const std::string& lora_name,
                      const Ids& hit) {
    step(name + " arrives with " + draw(token_ids) + (lora_name.empty() ? "" : " for " + lora_name),
         "world.expect_arrival(\"" + name + "\", " + code_of(token_ids) + ", \"" + lora_name +
             "\", " + code_of(hit) + ");");
    world_.admit({name, pool().block_size(), token_ids, lora_name});
    expect_same("the longest hit of " + name + " to be ", draw(hit), draw(world_.hit(name)));
    world_.share(name);
    result(told_pool(pool()));
  }

  // take what it lacks and seal at once; with too few blocks free, nothing.
  void expect_computed(const std::string& name, const std::optional<Ids>& expected) {
    const auto drawn = [](const auto& ids) { return ids ? draw(*ids) : "nullopt"; };
    std::optional<Ids> taken;
    tell(name + " takes blocks and seals",
         "expect_computed(\"" + name + "\", " +
             (expected ? "Ids" + code_of(*expected) : "std::nullopt") + ")",
         [&] {
           taken = world_.take(name, world_.num_lacking(name));
           if (taken) world_.seal(name);
         });
    expect_same("get_new_blocks to give ", drawn(expected), drawn(taken));
  }

  void expect_reset(bool expected) {
    const auto drawn = [](bool is_reset) { return is_reset ? "true" : "false"; };
    bool is_reset = false;
    tell("reset_prefix_cache()", std::string("expect_reset(") + drawn(expected) + ")",
         [&] { is_reset = pool().reset_prefix_cache(); });
    expect_same("reset_prefix_cache to give ", drawn(expected), drawn(is_reset));
  }

  // admit, take and seal at once: a request that finds nothing.
  void live(const std::string& name, const std::vector<TokenId>& token_ids) {
    admit(name, token_ids);
    take(name, world_.num_lacking(name));
    seal(name);
  }

  void expect_hit(const std::string& name, const Ids& expected) {
    expectation([&] { return "world.expect_hit(\"" + name + "\", " + code_of(expected) + ");"; });
    expect_same("the longest hit of " + name + " to be ", expected, world_.hit(name));
  }
  void expect_free(const Ids& expected) {
    expectation([&] { return "world.expect_free(" + code_of(expected) + ");"; });
    expect_same("free ", expected, free_ids(pool()));
  }
  void expect_cached(const Ids& expected) {
    expectation([&] { return "world.expect_cached(" + code_of(expected) + ");"; });
    expect_same("cached ", expected, cached_ids(pool()));
  }
  void audit() {
    expectation("world.audit();");
    if (const auto law = broken_pool_invariant(pool()))
      ADD_FAILURE() << "broken invariant " << *law;
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

  void tell(const std::string& text, auto call) { tell(text, "", call); }
  void tell(const std::string& text, const std::string& code, auto call) {
    step(text, code.empty() ? code : "world." + code + ";");
    call();
    result(told_pool(world_.pool()));
  }

  EngineFixture world_;
};

}  // namespace kv::grader
