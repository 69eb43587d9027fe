#include "apps/replay/serving.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string>

#include "04-kv-cache-manager/bench/processor_time.h"
#include "04-kv-cache-manager/given/simple_scheduler.h"
#include "apps/replay/buddy_allocator.h"
#include "apps/replay/progress.h"
#include "apps/replay/trace.h"
#include "kv/require.h"

namespace kv::replay {

namespace {

using Reserve = std::function<std::size_t(const TraceRequest&)>;

// Continuous batching as in given/simple_scheduler.h, but with a piece of memory for each request.
// So a request that has started has all the memory that it will need, and none is preempted.
class ContiguousServer {
 public:
  ContiguousServer(const Trace& trace, const ServingOptions& options, Reserve reserve)
      : trace_(trace),
        options_(options),
        reserve_(std::move(reserve)),
        pool_(options.pool_tokens),
        use_(options.pool_tokens) {}

  bool is_queue_empty() const { return next_ == options_.num_requests; }

  void step() {
    std::size_t room = options_.max_num_batched_tokens;
    for (Running& request : running_) compute(request, room);
    const bool waits = !start_waiting(room);
    use_.add(num_held_, num_reserved_, running_.size(), waits);
    finish();
    ++num_steps_;
  }

  std::size_t num_started() const { return next_; }
  const MemoryUse& use() const { return use_; }
  std::size_t num_steps() const { return num_steps_; }

 private:
  struct Running {
    std::size_t num_tokens;  // that it has: the prompt, and what was generated
    std::size_t num_tokens_at_end;
    std::size_t num_computed;
    std::size_t first_slot, num_slots;
  };

  void compute(Running& request, std::size_t& room) {
    const std::size_t num_new = std::min(room, request.num_tokens - request.num_computed);
    request.num_computed += num_new;
    num_held_ += num_new;
    room -= num_new;
  }

  // false: there is no piece of memory for the next request.
  bool start_waiting(std::size_t& room) {
    while (!is_queue_empty() && running_.size() < options_.max_num_seqs && room > 0) {
      const TraceRequest& request = trace_.requests[next_];
      const std::size_t num_slots = reserve_(request);
      const auto first_slot = pool_.allocate(num_slots);
      if (!first_slot) return false;
      running_.push_back({request.input_length, request.num_tokens(), 0, *first_slot, num_slots});
      num_reserved_ += num_slots;
      compute(running_.back(), room);
      ++next_;
    }
    return true;
  }

  // Each request whose tokens are all computed gets one more, or ends.
  void finish() {
    std::erase_if(running_, [this](Running& request) {
      if (request.num_computed < request.num_tokens) return false;
      if (++request.num_tokens < request.num_tokens_at_end) return false;
      pool_.free(request.first_slot, request.num_slots);
      num_held_ -= request.num_computed;
      num_reserved_ -= request.num_slots;
      return true;
    });
  }

  const Trace& trace_;
  const ServingOptions& options_;
  Reserve reserve_;
  BuddyAllocator pool_;
  MemoryUse use_;
  std::vector<Running> running_;
  std::size_t next_ = 0, num_steps_ = 0, num_held_ = 0, num_reserved_ = 0;
};

}  // namespace

std::vector<Scheme> reserve_in_one_piece(const Trace& trace,
                                         const ServingOptions& options,
                                         std::size_t num_threads,
                                         Progress& progress) {
  const auto rounded = [&](const TraceRequest& request) {
    const std::size_t num_output = request.num_tokens() - request.input_length;
    return std::min(options.max_model_len, request.input_length + std::bit_ceil(num_output));
  };
  const std::vector<std::pair<const char*, Reserve>> schemes = {
      {"maximum length reserved", [&](const TraceRequest&) { return options.max_model_len; }},
      {"prompt + 2^k for the output", rounded},
      {"length known (oracle)", &TraceRequest::num_tokens}};
  std::vector<Scheme> results(schemes.size());
  in_parallel(schemes.size(), num_threads, [&](std::size_t i) {
    ContiguousServer server(trace, options, schemes[i].second);
    while (!server.is_queue_empty()) {
      const std::size_t num_before = server.num_started();
      server.step();
      for (std::size_t n = num_before; n < server.num_started(); ++n) progress.step();
    }
    results[i] = {schemes[i].first, server.use(), server.num_steps(), 0};
  });
  return results;
}

namespace {

class PagedServer {
 public:
  PagedServer(const Trace& trace,
              const ServingOptions& options,
              std::size_t block_size,
              bool enable_caching,
              Rules rules,
              Progress& progress)
      : trace_(trace),
        options_(options),
        block_size_(block_size),
        progress_(progress),
        manager_(1 + options.pool_tokens / block_size,
                 block_size,
                 options.max_model_len,
                 enable_caching,
                 rules),
        scheduler_(manager_,
                   options.max_num_batched_tokens,
                   options.max_num_seqs,
                   num_blocks_left_free(options.watermark)),
        has_started_(options.num_requests) {
    result_.scheme = {enable_caching ? "paged, prefixes shared" : "paged",
                      MemoryUse(options.pool_tokens)};
    result_.num_usable_blocks = options.pool_tokens / block_size;
  }

  Serving run() {
    for (add_waiting(); scheduler_.has_requests(); add_waiting()) step();
    const std::size_t num_used = num_blocks_in_use();
    if (num_used > 0)
      throw ReplayError(std::to_string(num_used) + " blocks are in use when all requests are done");
    result_.mean_blocks /= std::max(num_steps_with_queue_, 1.0);
    result_.scheme.num_preemptions = scheduler_.num_preemptions();
    return result_;
  }

 private:
  // A share of all blocks, the null block too, rounded down, as in vLLM 0.33.
  std::size_t num_blocks_left_free(double watermark) {
    return static_cast<std::size_t>(watermark *
                                    static_cast<double>(manager_.block_pool().blocks().size()));
  }
  std::size_t num_blocks_in_use() {
    return result_.num_usable_blocks - manager_.block_pool().get_num_free_blocks();
  }
  std::size_t num_waiting() const {
    return num_added_ - num_finished_ - scheduler_.running().size();
  }

  // Adds as many requests as a step could start, so that the queue is never empty; the others need
  // no memory yet.
  void add_waiting() {
    while (num_added_ < options_.num_requests && num_waiting() < options_.max_num_seqs) {
      const TraceRequest& request = trace_.requests[num_added_];
      result_.num_prompt_tokens += request.input_length;
      scheduler_.add_request(prompt_of(trace_, num_added_, request.input_length, block_size_),
                             request.num_tokens() - request.input_length);
      ++num_added_;
    }
  }

  void step() {
    const std::size_t num_preemptions = scheduler_.num_preemptions();
    const auto scheduled = scheduler_.schedule();
    if (scheduled.empty())
      throw ReplayError("allocate_slots gives no request of the queue any block, although " +
                        std::to_string(manager_.block_pool().get_num_free_blocks()) + " are free");
    measure(scheduled, scheduler_.num_preemptions() != num_preemptions);
    scheduler_.update_from_output(scheduled,
                                  [this](const Request& request) { return next_token(request); });
    ++result_.scheme.num_steps;
  }

  // A request has started if it was in a step; since then, it finds its own text, too.
  void count_hits(std::size_t index, std::size_t num_hit_tokens) {
    result_.num_hit_tokens += num_hit_tokens;
    if (!has_started_[index]) result_.num_first_hits += num_hit_tokens;
    has_started_[index] = true;
  }

  static std::size_t index_of(const std::string& request_id) {
    return std::stoul(request_id.substr(1));
  }

  // In the middle of the step: what it computes is held now.
  void measure(const std::vector<SimpleScheduler::ScheduledRequest>& scheduled,
               bool has_preempted) {
    std::size_t num_new = 0, num_held = 0, num_slots = 0;
    for (const auto& [request_id, num_tokens, num_hit_tokens] : scheduled) {
      num_new += num_tokens;
      num_held += num_tokens + num_hit_tokens;
      count_hits(index_of(request_id), num_hit_tokens);
    }
    for (const SimpleScheduler::RunningRequest& running : scheduler_.running()) {
      num_held += running.request.num_computed_tokens;
      num_slots += manager_.get_blocks(running.request.request_id).num_slots();
    }
    // Only the last block of a request is not full, and it is not shared. So what the tables have
    // without a token is what the blocks have, however often a full block is in a table.
    const std::size_t num_used = num_blocks_in_use();
    const std::size_t num_reserved = num_used * block_size_;
    const bool is_full = num_new < options_.max_num_batched_tokens &&
                         scheduler_.running().size() < options_.max_num_seqs;
    result_.peak_blocks = std::max(result_.peak_blocks, num_used);
    if (num_waiting() == 0) return;
    result_.scheme.use.add(num_reserved - (num_slots - num_held), num_reserved,
                           scheduler_.running().size(), has_preempted || is_full);
    result_.mean_blocks += static_cast<double>(num_used);
    ++num_steps_with_queue_;
  }

  // Why below 0, and another number for each request: nobody's prompt has an output in it.
  TokenId next_token(const Request& request) {
    const std::size_t index = index_of(request.request_id);
    if (request.token_ids.size() + 1 == trace_.requests[index].num_tokens()) {
      ++num_finished_;
      progress_.step();
    }
    return -1 - static_cast<TokenId>(index);
  }

  const Trace& trace_;
  const ServingOptions& options_;
  std::size_t block_size_;
  Progress& progress_;
  KVCacheManager manager_;
  SimpleScheduler scheduler_;
  Serving result_;
  std::size_t num_added_ = 0, num_finished_ = 0;
  std::vector<bool> has_started_;  // by the index of a request
  double num_steps_with_queue_ = 0;
};

}  // namespace

Serving serve(const Trace& trace,
              const ServingOptions& options,
              std::size_t block_size,
              bool enable_caching,
              Rules rules,
              Progress& progress) {
  const ThreadTimer timer;
  try {
    Serving result = PagedServer(trace, options, block_size, enable_caching, rules, progress).run();
    result.seconds = timer.seconds();
    return result;
  } catch (const ContractViolation& refused) {
    throw ReplayError(std::string("the manager refuses a call of the scheduler, which is right: ") +
                      refused.what());
  }
}

}  // namespace kv::replay
