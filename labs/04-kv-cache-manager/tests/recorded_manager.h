#pragma once
// A manager that records each call and the state after it, and names blocks by id and requests by
// name. It has the requests too: what the engine computes is a call here.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "04-kv-cache-manager/tests/call_text.h"
#include "04-kv-cache-manager/tests/manager_state.h"

namespace kv::grader {

class RecordedManager : public PoolExpectations {
 public:
  explicit RecordedManager(const ManagerSizes& sizes) : manager_(manager_of(sizes)) {
    if (sizes.has_events) pool().enable_kv_cache_events();
    if (!is_recording()) return;
    log_start("manager",
              {"KVCacheManager(num_gpu_blocks, block_size, max_model_len, enable_caching)",
               text_of(sizes), code_of(sizes)},
              sizes.num_gpu_blocks, sizes.block_size, sizes.max_model_len, sizes.enable_caching,
              sizes.has_events);
    log(state());
  }

  KVCacheManager& raw() { return manager_; }
  BlockPool& pool() override { return manager_.block_pool(); }
  Request& request(const std::string& name) { return requests_.at(name); }
  Ids table(const std::string& name) const { return ids_of(manager_.get_blocks(name).blocks()); }

  void admit(const std::string& name, const Tokens& token_ids) {
    admit({.request_id = name, .block_size = pool().block_size(), .token_ids = token_ids});
  }
  void admit(Request request) {
    const std::string sentence = "request {0} with tokens {1}" + describe_extras(request) +
                                 (request.skip_reading_prefix_cache ? ", which skips reading" : "");
    log_step({"add_request(request_id, prompt_token_ids)", sentence, code_of(request)},
             request.request_id, request.token_ids);
    update_block_hashes(request);
    const std::string name = request.request_id;
    requests_.insert_or_assign(name, std::move(request));
    log_return();
  }
  // An earlier request has computed these tokens, in new blocks; the full ones are cached, and all
  // are free. Without the manager, for tests of steps before free.
  void leave_behind(Request earlier) {
    log_step({"leave_behind(prompt_token_ids)", "an earlier request computed {0}, and is gone"},
             earlier.token_ids);
    log_return(compute_and_leave(pool(), std::move(earlier)));
  }
  void leave_behind(const Tokens& token_ids) {
    leave_behind(request_of(token_ids, pool().block_size()));
  }
  void append(const std::string& name, const Tokens& token_ids) {
    log_step({"append_output_token_ids(request_id, token_ids)", "{0} gets tokens {1}",
              "append({0}, {1})"},
             name, token_ids);
    append_output_token_ids(request(name), token_ids);
    log_return();
  }
  // The engine computes the next tokens of the request.
  void compute(const std::string& name, std::size_t num_tokens) {
    log_step(
        {"compute(request_id, num_tokens)", "{1} tokens of {0} are computed", "compute({0}, {1})"},
        name, num_tokens);
    request(name).num_computed_tokens += num_tokens;
    log_return();
  }
  // The request loses its other tokens, as a fork does in the scheduler, and computes its last one.
  void keep(const std::string& name, std::size_t num_tokens) {
    log_step({"keep(request_id, num_tokens)", "{0} keeps its first {1} tokens", "keep({0}, {1})"},
             name, num_tokens);
    keep_beginning(request(name), num_tokens);
    log_return();
  }

  Ids find(const std::string& name) {
    log_step({"get_computed_blocks(request_id)", "get_computed_blocks({0})"}, name);
    const ComputedBlocks found = manager_.get_computed_blocks(request(name));
    log_return(ids_of(found.blocks));
    EXPECT_SAME(found.num_tokens, found.blocks.size() * pool().block_size())
        << "num_tokens is the number of tokens in the blocks";
    return ids_of(found.blocks);
  }
  void expect_found(const std::string& name, const Ids& expected) {
    expect_same("get_computed_blocks(" + name + ") to give", expected, find(name));
  }

  std::size_t needed(const std::string& name, std::size_t num_new_tokens, const Asked& asked = {}) {
    log_step({"get_num_blocks_to_allocate(request_id, num_new_tokens, hits, lookahead)",
              "get_num_blocks_to_allocate({0}, {1}" + text_of(asked) + ")"},
             name, num_new_tokens, Blocks{asked.hits}, asked.num_lookahead_tokens);
    const auto hits = blocks_of(pool(), asked.hits);
    const std::size_t num_needed = manager_.get_num_blocks_to_allocate(
        request(name), num_new_tokens,
        {hits, asked.num_lookahead_tokens, asked.full_sequence_must_fit});
    log_return(num_needed);
    return num_needed;
  }
  void expect_needed(const std::string& name,
                     std::size_t num_new_tokens,
                     std::size_t expected,
                     const Asked& asked = {}) {
    expect_same("get_num_blocks_to_allocate to give", expected,
                needed(name, num_new_tokens, asked));
  }

  std::optional<AllocatedSlots> allocate(const std::string& name,
                                         std::size_t num_new_tokens,
                                         const Asked& asked = {}) {
    log_allocate("allocate({0}, {1}" + code_of(asked) + ")", name, num_new_tokens, asked);
    return logged_allocate(name, num_new_tokens, asked);
  }
  // expected: the new blocks; nullopt: there are not enough.
  void expect_allocated(const std::string& name,
                        std::size_t num_new_tokens,
                        const std::optional<Ids>& expected,
                        const Asked& asked = {},
                        const std::vector<BlockCopy>& copies = {}) {
    const std::string of_asked = code_of(asked), of_copies = code_of(copies);
    const bool is_plain = of_asked.empty() && !of_copies.empty();
    log_allocate(
        "expect_allocated({0}, {1}, {=}" + (is_plain ? ", {}" : of_asked) + of_copies + ")", name,
        num_new_tokens, asked);
    log_expected_result(expected);
    const auto allocated = logged_allocate(name, num_new_tokens, asked);
    const auto yours = allocated ? std::optional(ids_of(allocated->new_blocks)) : std::nullopt;
    expect_same("allocate_slots(" + name + ", " + draw(num_new_tokens) + ") to give", expected,
                yours);
    if (allocated)
      expect_same("the copies of " + name + " to be", draw_copies(copies),
                  draw_copies(allocated->copies));
  }
  void expect_allocation_refused(const std::string& name,
                                 std::size_t num_new_tokens,
                                 const char* why,
                                 const Asked& asked = {}) {
    const std::string reason = std::string(", \"") + why + "\"";
    log_allocate("expect_allocation_refused({0}, {1}" + reason + code_of(asked) + ")", name,
                 num_new_tokens, asked);
    expect_refused(*this, why, [&] { call_allocate(name, num_new_tokens, asked); });
  }

  // What a scheduler does with a new request that fits: finds, allocates the rest, computes it.
  void start(const std::string& name, const Tokens& token_ids) {
    admit(name, token_ids);
    start(name);
  }
  void start(const std::string& name) {
    const Ids hits = find(name);
    const std::size_t num_hit = hits.size() * pool().block_size();
    allocate(name, request(name).token_ids.size() - num_hit, {.hits = hits});
    compute(name, request(name).token_ids.size());
  }
  // One more token, which is the next input.
  void decode(const std::string& name, TokenId token) {
    append(name, {token});
    allocate(name, 1);
    compute(name, 1);
  }

  void free(const std::string& name) {
    log_step({"free(request_id)", "free({0})", "free({0})"}, name);
    manager_.free(request(name));
    log_return();
  }
  void preempt(const std::string& name) {
    log_step({"preempt(request_id)", "preempt({0})", "preempt({0})"}, name);
    manager_.preempt(request(name));
    log_return();
    EXPECT_SAME(request(name).num_computed_tokens, 0u)
        << "num_computed_tokens of a preempted request";
  }
  void fork(const std::string& parent, const std::string& child) {
    log_step({"fork(parent, child_request_id)", "fork({0}, {1})", "fork({0}, {1})"}, parent, child);
    const Request forked = manager_.fork(request(parent), child);
    EXPECT_SAME(forked.request_id, child) << "the id of the fork";
    expect_same_request(forked, request(parent));
    requests_.insert_or_assign(child, forked);
    log_return();
  }
  void accept(const std::string& parent, const std::string& child) {
    log_step({"accept(parent, child)", "accept({0}, {1})", "accept({0}, {1})"}, parent, child);
    manager_.accept(request(parent), request(child));
    EXPECT_SAME(request(parent).request_id, parent) << "the id of the parent";
    expect_same_request(request(parent), request(child));
    log_return();
  }
  void expect_accept_refused(const std::string& parent, const std::string& child, const char* why) {
    log_step({"accept(parent, child)", "accept({0}, {1})",
              std::string("expect_accept_refused({0}, {1}, \"") + why + "\")"},
             parent, child);
    expect_refused(*this, why, [&] { manager_.accept(request(parent), request(child)); });
  }
  // Another user of the pool takes blocks from it.
  void take(std::size_t num_blocks) {
    log_step({"get_new_blocks(num_blocks)", "get_new_blocks({0})", "take({0})"}, num_blocks);
    const auto blocks = pool().get_new_blocks(num_blocks);
    log_return();
    EXPECT_HOLDS(blocks.has_value()) << "every block should be free when no request is left";
  }
  void evict(const Ids& ids) {
    log_step({"evict_blocks(blocks)", "evict_blocks({0})", "evict({0})"}, Blocks{ids});
    manager_.evict_blocks(ids);
    log_return();
  }
  void expect_reset(bool expected) {
    log_step({"reset_prefix_cache()", "reset_prefix_cache()", "expect_reset({=})"});
    log_expected_result(expected);
    const bool is_reset = manager_.reset_prefix_cache();
    log_return(is_reset);
    expect_same("reset_prefix_cache to give", expected, is_reset);
  }

  void expect_table(const std::string& name, const Ids& expected) {
    log_expectation({"table(request_id, blocks)", "", "expect_table({0}, {1})"}, name, expected);
    const Ids yours = table(name);
    if (yours != expected) expect_same("the table of " + name + " to be", expected, yours);
  }
  void expect_common(const std::string& name, std::size_t expected) {
    log_step({"get_num_common_prefix_blocks(request_id)", "get_num_common_prefix_blocks({0})",
              "expect_common({0}, {=})"},
             name);
    log_expected_result(expected);
    const std::size_t num_common = manager_.get_num_common_prefix_blocks(name);
    log_return(num_common);
    expect_same("get_num_common_prefix_blocks(" + name + ") to give", expected, num_common);
  }

  void expect_usage(std::size_t num_used) {
    PoolExpectations::expect_usage(num_used);
    if (manager_.usage() == pool().get_usage()) return;
    log_expectation({"usage(num_used)", "", "expect_usage({0})"}, num_used);
    EXPECT_SAME(manager_.usage(), pool().get_usage()) << "usage() is the pool's";
  }

  // The invariants of the pool, and I12 over the tables of all requests.
  void audit() {
    PoolExpectations::audit();
    if (const auto broken = broken_table_invariant(pool(), tables()))
      ADD_FAILURE() << "broken invariant " << *broken;
  }

  // For expect_refused.
  ManagerState state() { return {state_of(pool()), tables()}; }
  void log(const ManagerState& state) {
    log_pool_state(state.pool);
    for (const auto& [name, ids] : state.tables) log_detail("block_tables." + name, ids);
  }
  void expect_unchanged(const ManagerState& before) {
    if (state() == before) return;
    ADD_FAILURE() << "the call changed\n  " << draw(before) << " to\n  " << draw(state());
  }

 private:
  std::optional<AllocatedSlots> logged_allocate(const std::string& name,
                                                std::size_t num_new_tokens,
                                                const Asked& asked) {
    auto allocated = call_allocate(name, num_new_tokens, asked);
    log_return(allocated ? std::optional(ids_of(allocated->new_blocks)) : std::nullopt);
    return allocated;
  }
  std::optional<AllocatedSlots> call_allocate(const std::string& name,
                                              std::size_t num_new_tokens,
                                              const Asked& asked) {
    const auto hits = blocks_of(pool(), asked.hits);
    return manager_.allocate_slots(
        request(name), num_new_tokens,
        {hits, asked.num_lookahead_tokens, asked.full_sequence_must_fit});
  }
  Tables tables() const {
    Tables tables;
    for (const auto& [name, request] : requests_) {
      const BlockTable& table = manager_.get_blocks(name);
      if (table.num_blocks() > 0) tables[name] = ids_of(table.blocks());
    }
    return tables;
  }
  template <class... Result>
  void log_return(const Result&... result) {
    if (!is_recording()) return;
    log_pool_return(pool(), result...);
    if (!may_look()) return;
    for (const auto& [name, ids] : tables()) log_detail("block_tables." + name, ids);
  }

  KVCacheManager manager_;
  std::map<std::string, Request> requests_;
};

}  // namespace kv::grader
