#pragma once
// Runs requests on a pool: they find their cached prefix, share it, take blocks, cache the full
// ones and are freed. The tests and the predict questions of lab 03 use it.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "02-block-pool/tests/pool_view.h"
#include "grader/harness/draw.h"

namespace kv::grader {

using Tokens = std::vector<TokenId>;

// A request with tokens and nothing else.
inline Request request_of(Tokens token_ids, std::size_t block_size) {
  return {.request_id = "r", .block_size = block_size, .token_ids = std::move(token_ids)};
}

// ", adapter poet, image cat in tokens [2, 3), salt tenant": what shapes its blocks besides tokens.
inline std::string describe_extras(const Request& request) {
  std::string text;
  if (!request.lora_name.empty()) text += ", adapter " + request.lora_name;
  if (!request.lora_path.empty()) text += ", its path " + request.lora_path;
  for (const MultiModalFeature& feature : request.mm_features) {
    const std::size_t end = feature.offset + feature.num_tokens;
    text += ", image " + feature.identifier + " in tokens [" + std::to_string(feature.offset) +
            ", " + std::to_string(end) + ")";
  }
  if (!request.cache_salt.empty()) text += ", salt " + request.cache_salt;
  return text;
}

// Step 3.13 or step 3.19: two forms of one contract.
using Finder = decltype(&BlockPool::find_longest_cache_hit);

class EngineFixture {
 public:
  EngineFixture(std::size_t num_gpu_blocks,
                std::size_t block_size,
                Finder find = &BlockPool::find_longest_cache_hit)
      : pool_(num_gpu_blocks, block_size), find_(find) {}

  BlockPool& pool() { return pool_; }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, request] : running_) names.push_back(name);
    return names;
  }
  Request& request(const std::string& name) { return running_.at(name).request; }
  Ids table(const std::string& name) const { return ids_of(running_.at(name).table); }

  // A request with these tokens, hashed; it holds no block yet.
  void admit(const std::string& name, std::vector<TokenId> token_ids) {
    admit(
        {.request_id = name, .block_size = pool_.block_size(), .token_ids = std::move(token_ids)});
  }
  void admit(Request request) {
    update_block_hashes(request);
    const std::string name = request.request_id;
    running_.insert_or_assign(name, RunningRequest{.request = std::move(request)});
  }

  // The longest cached beginning of the request.
  Ids hit(const std::string& name) const {
    const Request& request = running_.at(name).request;
    return ids_of((pool_.*find_)(request, request.token_ids.size()));
  }

  // Touches those hits and begins the table with them. Requires: an empty table.
  void share(const std::string& name) {
    RunningRequest& running = running_.at(name);
    running.table = (pool_.*find_)(running.request, running.request.token_ids.size());
    running.num_sealed = running.table.size();
    pool_.touch(running.table);
  }

  std::optional<Ids> take(const std::string& name, std::size_t num_blocks) {
    const auto blocks = pool_.get_new_blocks(num_blocks);
    if (!blocks) return std::nullopt;
    RunningRequest& running = running_.at(name);
    running.table.insert(running.table.end(), blocks->begin(), blocks->end());
    return ids_of(*blocks);
  }

  // How many blocks its tokens need besides those in its table.
  std::size_t num_lacking(const std::string& name) const {
    const auto& [request, table, num_sealed] = running_.at(name);
    const std::size_t num_tokens = request.token_ids.size();
    return (num_tokens + request.block_size - 1) / request.block_size - table.size();
  }

  // Caches every full block of the table that is not cached yet.
  void seal(const std::string& name) {
    RunningRequest& running = running_.at(name);
    const std::size_t num_full = std::min(running.table.size(), running.request.num_full_blocks());
    pool_.cache_full_blocks(running.request, running.table, running.num_sealed, num_full);
    running.num_sealed = std::max(running.num_sealed, num_full);
  }

  // Frees one block of the table and puts the null block in its place, as a sliding window does.
  void drop(const std::string& name, std::size_t logical_block) {
    KVCacheBlock*& block = running_.at(name).table[logical_block];
    pool_.free_blocks({&block, 1});
    block = &pool_.null_block();
  }

  // Frees the table, last block first, and empties it.
  void free(const std::string& name) {
    RunningRequest& running = running_.at(name);
    std::ranges::reverse(running.table);
    pool_.free_blocks(running.table);
    running.table.clear();
    running.num_sealed = 0;
  }

 private:
  struct RunningRequest {
    Request request;
    std::vector<KVCacheBlock*> table = {};
    std::size_t num_sealed = 0;
  };

  BlockPool pool_;
  Finder find_;
  std::map<std::string, RunningRequest> running_;
};

}  // namespace kv::grader
