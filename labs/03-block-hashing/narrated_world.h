#pragma once
// Requests that live on a pool, and tell it.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "02-block-pool/narrated_pool.h"
#include "03-block-hashing/request_world.h"

namespace kv::grader {

class NarratedWorld {
 public:
  NarratedWorld(std::size_t num_gpu_blocks, std::size_t block_size)
      : world_(num_gpu_blocks, block_size) {
    start(draw_pool(world_.pool()));
  }

  RequestWorld& bare() { return world_; }
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
  void leave(const std::string& name) {
    tell(name + " is freed", [&] { world_.leave(name); });
  }
  void evict(const Ids& ids) {
    tell("evict_blocks(" + draw_blocks(ids) + ")", [&] { pool().evict_blocks(ids); });
  }

  // admit, take and seal at once: a request that finds nothing.
  void live(const std::string& name, const std::vector<TokenId>& token_ids) {
    admit(name, token_ids);
    take(name, (token_ids.size() + pool().block_size() - 1) / pool().block_size());
    seal(name);
  }

  void expect_hit(const std::string& name, const Ids& expected) {
    const Ids hit = world_.hit(name);
    if (hit == expected) return;
    ADD_FAILURE() << "the longest hit of " << name << " should be " << draw(expected)
                  << ", yours is " << draw(hit);
  }
  void expect_cached(const Ids& expected) {
    const Ids cached = cached_ids(pool());
    if (cached == expected) return;
    ADD_FAILURE() << "expected cached " << draw(expected) << ", yours is " << draw(cached);
  }
  void audit() {
    if (const auto law = broken_pool_law(pool())) ADD_FAILURE() << "broken law " << *law;
  }

 private:
  template <class Call>
  void tell(const std::string& text, Call call) {
    step(text);
    call();
    result(draw_pool(world_.pool()));
  }

  RequestWorld world_;
};

}  // namespace kv::grader
