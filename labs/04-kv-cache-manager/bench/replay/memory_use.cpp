#include "04-kv-cache-manager/bench/replay/memory_use.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "04-kv-cache-manager/bench/replay/buddy_allocator.h"
#include "04-kv-cache-manager/bench/replay/parallel.h"

namespace kv::replay {
namespace {

using Reserve = std::function<std::size_t(const TraceRequest&)>;

// Continuous batching as in given/scheduler.h, but with a piece of memory for each request. So a
// request that has started has all the memory that it will need, and none is preempted.
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

}  // namespace kv::replay
