#pragma once
// What is measured, each on blocks of its own that are free in random order. The calls:
//
//   find     the cached blocks at the beginning of a prompt
//   serve    a prompt from its arrival to its end: find, allocate, cache, free
//   extend   slots for the tokens that have none, which then count as computed
//   finish   the end of a prompt that was extended

#include <algorithm>
#include <cstddef>
#include <random>
#include <stdexcept>
#include <vector>

#include "03-block-hashing/bench/bench_prompts.h"
#include "04-kv-cache-manager/bench/list_and_maps.h"
#include "04-kv-cache-manager/block_manager.h"
#include "04-kv-cache-manager/kv_cache_manager.h"

namespace kv::bench {

constexpr std::size_t kMaxModelLen = 8192;

// KVCacheManager or ListAndMaps, which keep the block tables.
template <class Manager>
class RequestManager {
 public:
  using Prompt = Request;
  static Request& request_of(Request& prompt) { return prompt; }

  template <class... Sizes>
  explicit RequestManager(Sizes... sizes) : manager_(sizes...) {}

  auto find(const Request& request) { return manager_.get_computed_blocks(request).blocks; }
  void serve(const Request& request) { serve(request, find(request)); }
  void extend(Request& request) {
    const std::size_t num_new_tokens = request.token_ids.size() - request.num_computed_tokens;
    manager_.allocate_slots(request, num_new_tokens).value();
    request.num_computed_tokens += num_new_tokens;
  }
  void finish(Request& request) {
    manager_.free(request);
    request.num_computed_tokens = 0;
  }

 protected:
  template <class Blocks>
  void serve(const Request& request, const Blocks& hits) {
    const std::size_t num_new_tokens = request.token_ids.size() - hits.size() * kBlockSize;
    manager_.allocate_slots(request, num_new_tokens, {.new_computed_blocks = hits}).value();
    manager_.free(request);
  }

  Manager manager_;
};

// Steps 4.1 and 4.4 to 4.7.
class OurManager : public RequestManager<KVCacheManager> {
 public:
  explicit OurManager(std::size_t num_blocks)
      : RequestManager(num_blocks + 1, kBlockSize, kMaxModelLen) {
    BlockPool& pool = manager_.block_pool();
    std::vector<KVCacheBlock*> blocks = pool.get_new_blocks(num_blocks).value();
    std::ranges::shuffle(blocks, std::mt19937(42));
    pool.free_blocks(blocks);
  }
};

// The same with step 3.19 in place of 4.4.
class AheadManager : public OurManager {
 public:
  using OurManager::OurManager;
  auto find(const Request& request) {
    return manager_.block_pool().find_longest_cache_hit_ahead(request,
                                                              request.token_ids.size() - 1);
  }
  void serve(const Request& request) { OurManager::serve(request, find(request)); }
};

class PlainManager : public RequestManager<ListAndMaps> {
 public:
  explicit PlainManager(std::size_t num_blocks) : RequestManager(num_blocks, kBlockSize) {}
};

// Steps 4.13 to 4.20. The prompts carry their block tables.
class OurBlockManager {
 public:
  using Prompt = Sequence;
  static Request& request_of(Sequence& prompt) { return prompt.request; }

  explicit OurBlockManager(std::size_t num_blocks) : manager_(num_blocks, kBlockSize) {
    Sequence all{Request{.request_id = "all", .block_size = kBlockSize, .token_ids = {}}};
    while (KVCacheBlock* block = manager_.allocate_block()) all.block_table.push_back(block);
    std::ranges::shuffle(all.block_table, std::mt19937(42));
    manager_.deallocate(all);
  }

  auto find(const Sequence& sequence) { return manager_.get_cached_blocks(sequence.request); }
  void serve(Sequence& sequence) {
    require_room(manager_.allocate(sequence, manager_.can_allocate(sequence).value()));
    hash_rest(sequence);
    manager_.deallocate(sequence);
  }
  void extend(Sequence& sequence) {
    require_room(manager_.may_append(sequence));
    hash_rest(sequence);
  }
  void finish(Sequence& sequence) { manager_.deallocate(sequence); }

 private:
  static void require_room(bool is_there_room) {
    if (!is_there_room) throw std::runtime_error("no room for a prompt that fits");
  }
  void hash_rest(Sequence& sequence) {
    Request& request = sequence.request;
    const std::size_t num_new_tokens = request.token_ids.size() - request.num_computed_tokens;
    manager_.hash_blocks(sequence, num_new_tokens);
    request.num_computed_tokens += num_new_tokens;
  }

  BlockManager manager_;
};

}  // namespace kv::bench
