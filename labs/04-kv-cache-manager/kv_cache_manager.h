#pragma once
// The KV cache manager: which request holds which blocks. A scheduler asks it in this order:
//
//       get_computed_blocks  -->  allocate_slots  -->  (the model computes)  -->  free
//       what is there already     room for the rest     num_computed_tokens +=    or preempt
//
//   I12  The ref_cnt of a block is the number of block tables that it is in, and no table has it
//        twice.
//   I13  Two requests that share a block have the same tokens up to the last slot that both have
//        computed.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "04-kv-cache-manager/allocation.h"
#include "04-kv-cache-manager/block_table.h"
#include "04-kv-cache-manager/given/rules.h"

namespace kv {

// vLLM: KVCacheManager in vllm/v1/core/kv_cache_manager.py, for one group with full attention
class KVCacheManager {
 public:
  // max_model_len: tokens that a request can have. Misuse: what BlockPool and BlockTable refuse,
  // and a max_model_len of 0, is refused.  O(num_gpu_blocks)
  KVCacheManager(std::size_t num_gpu_blocks,
                 std::size_t block_size,
                 std::size_t max_model_len,
                 bool enable_caching = true,
                 Rules rules = Rules::kVllm022);

  Rules rules() const { return rules_; }
  BlockPool& block_pool() { return block_pool_; }
  double usage() const { return block_pool_.get_usage(); }
  bool reset_prefix_cache() { return block_pool_.reset_prefix_cache(); }
  void evict_blocks(std::span<const BlockId> ids) { block_pool_.evict_blocks(ids); }
  std::vector<KVCacheEvent> take_events() { return block_pool_.take_events(); }
  // The block table of a request; an empty one if it has no blocks.
  const BlockTable& get_blocks(const std::string& request_id) const;

  // 4.4  The longest cached beginning of the request, without its last token, which is computed
  // anyway: its output is the next token. Nothing with caching off, nor for a request with
  // skip_reading_prefix_cache. Changes nothing; allocate_slots takes the blocks.
  // Misuse: a request of another block size, or with a full block that is not hashed, is refused.
  // O(blocks found + 1) expected, allocates nothing but the result.  vLLM: get_computed_blocks
  ComputedBlocks get_computed_blocks(const Request& request) const;

  // 4.5  How many free blocks allocate_slots needs with these arguments:
  //
  //   max(blocks(tokens) - blocks in the table - hits, 0) + hits that are free
  //
  // The tokens are the computed, hit, new and lookahead ones, but at most max_model_len. With
  // full_sequence_must_fit they are at least all tokens of the request, up to that length. blocks()
  // rounds up. Changes nothing.
  // O(hits), allocates nothing.                          vLLM: get_num_blocks_to_allocate
  std::size_t get_num_blocks_to_allocate(const Request& request,
                                         std::size_t num_new_tokens,
                                         const AllocateOptions& options = {}) const;

  // 4.6  Gives the next num_new_tokens tokens of the request slots, and the lookahead tokens after
  // them: touches the hits, then takes new blocks; hits and new blocks join the table in this
  // order, and the new ones are returned. With caching on, then caches each block that is full of
  // computed and new tokens of the request. Neither draft tokens, which its token_ids lack, nor
  // lookahead tokens are cached.
  // Exhaustion: nullopt when fewer blocks are free than step 4.5 says, and nothing has changed.
  // Misuse: a request that 4.4 refuses, 0 new tokens, computed tokens without a slot, hits for a
  // request that has blocks, and hits without the hashes of its first blocks refuse the whole call.
  // O(blocks added or cached) expected.                  vLLM: allocate_slots
  std::optional<AllocatedSlots> allocate_slots(const Request& request,
                                               std::size_t num_new_tokens,
                                               const AllocateOptions& options = {});

  // 4.7  Takes the request out of each of its blocks, the last block first, so that beginnings stay
  // cached the longest, and forgets the request. A request without blocks changes nothing.
  // O(its blocks).                                       vLLM: free
  void free(const Request& request);

  // 4.8  Frees the request and sets its num_computed_tokens to 0: it starts over later, with the
  // blocks that are still cached then.  Cost: as 4.7.    vLLM: Scheduler._preempt_request
  void preempt(Request& request);

  // 4.9  How many blocks at the beginning of the request every request with blocks holds; 0 with
  // caching off, and for a request without blocks. Changes nothing.
  // O(result + 1), allocates nothing.           vLLM: get_num_common_prefix_blocks (0.33: 0)
  std::size_t get_num_common_prefix_blocks(const std::string& request_id) const;

  // ---- Extra: bodies in copy_on_write.cpp ----
  // 4.10 (extra)  A copy of the parent with another id, which shares every block of the parent,
  // those that are not full too. Takes no block. The caller may take tokens off its end.
  // Misuse: a parent without blocks, and an id that has blocks, are refused.
  // O(parent's blocks).                                  vLLM: fork, until 2025
  Request fork(const Request& parent, const std::string& child_request_id);

  // 4.12 (extra)  The parent becomes its child: tokens, hashes and blocks, all but the id. Blocks
  // of the parent that the child does not hold are freed, the last first; the child has none then.
  // Misuse: a parent or child without blocks, and a child that is no fork of it, are refused.
  // O(blocks of both).                                   vLLM: none
  void accept(Request& parent, const Request& child);

 private:
  struct RequestBlocks {
    BlockTable table;
    std::size_t num_cached_blocks = 0;          // its first blocks, which it never caches again
    bool is_forked = false;                     // other requests may hold blocks that are not full
    std::optional<std::string> parent_id = {};  // the request's parent, if it is a fork
  };

  // 4.11 (extra)  Gives a forked request blocks of its own, in every call: the caller lowers
  // num_computed_tokens by the drafts that are rejected. What happens to a block of its table that
  // another request holds or has cached:
  //
  //   full of computed tokens    stays shared; if another has cached it, it counts as cached
  //   partly computed            a new block, and a copy of its computed slots is listed
  //   not computed               a new block, and nothing to copy
  //   cached by the request      stays, if it is full of its token_ids
  //
  // New blocks are taken for the first one first; the blocks that they replace are freed the last
  // first, as in 4.7. allocate_slots calls this first and returns what it returns, then adds its
  // own. Exhaustion: nullopt when fewer blocks are free than these and step 4.5 together, and
  // nothing has changed.  O(its blocks).                         vLLM: append_slots, until 2025
  std::optional<AllocatedSlots> unshare_blocks(const Request& request,
                                               std::size_t num_new_tokens,
                                               const AllocateOptions& options);

  // Given, at the end of kv_cache_manager.cpp.
  bool is_forked(const Request& request) const;
  // Computed, hit, new and lookahead tokens together, but at most max_model_len_.
  std::size_t num_tokens_need_slot(const Request& request,
                                   std::size_t num_new_tokens,
                                   const AllocateOptions& options) const;
  // Caches the blocks that are full of the first num_tokens tokens, if caching is on.
  void cache_blocks(const Request& request, RequestBlocks& held, std::size_t num_tokens);

  std::size_t max_model_len_;
  bool enable_caching_;
  Rules rules_;
  BlockPool block_pool_;
  const BlockTable no_blocks_;                                    // a request without blocks has it
  std::unordered_map<std::string, RequestBlocks> req_to_blocks_;  // none without blocks
};

}  // namespace kv
