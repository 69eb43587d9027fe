#include "apps/replay/events.h"

#include <cstdint>
#include <cstdio>
#include <deque>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "apps/replay/trace.h"

namespace kv::replay {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxItems = 256;  // most entries of a list, as in a story

// A manager that logs each call and the state after it. The names are those of the recorder of the
// lab's tests.
class EventLog {
 public:
  EventLog(std::ostream& out, const EventOptions& options)
      : out_(out),
        block_size_(options.block_size),
        manager_(options.num_blocks, options.block_size, kMaxLength, true, options.rules) {
    log("KVCacheManager",
        {{"num_gpu_blocks", options.num_blocks},
         {"block_size", block_size_},
         {"max_model_len", kMaxLength},
         {"enable_caching", true}},
        nullptr, "a manager of " + std::to_string(options.num_blocks) + " blocks");
  }

  std::size_t num_events() const { return num_events_; }
  std::size_t num_running() const { return running_.size(); }

  void add(Request request) {
    update_block_hashes(request);
    waiting_ = std::move(request);
    log("add_request",
        {{"request_id", waiting_.request_id}, {"prompt_token_ids", list(waiting_.token_ids)}},
        nullptr, waiting_.request_id + " arrives");
  }

  // false: there is no room.
  bool start() {
    const std::string& name = waiting_.request_id;
    const ComputedBlocks found = manager_.get_computed_blocks(waiting_);
    const Json hits = list(ids_of(found.blocks));
    log("get_computed_blocks", {{"request_id", name}}, hits, "get_computed_blocks(" + name + ")");
    const std::size_t num_new = waiting_.token_ids.size() - found.num_tokens;
    const auto allocated =
        manager_.allocate_slots(waiting_, num_new, {.new_computed_blocks = found.blocks});
    if (allocated) running_.push_back(waiting_);
    log("allocate_slots",
        {{"request_id", name}, {"num_new_tokens", num_new}, {"hits", hits}, {"lookahead", 0}},
        allocated ? list(ids_of(allocated->new_blocks)) : Json(nullptr),
        "allocate_slots(" + name + ", " + std::to_string(num_new) + ")");
    return allocated.has_value();
  }

  void free_oldest() {
    const Request oldest = std::move(running_.front());
    running_.pop_front();
    manager_.free(oldest);
    log("free", {{"request_id", oldest.request_id}}, nullptr, "free(" + oldest.request_id + ")");
  }

 private:
  static constexpr std::size_t kMaxLength = std::numeric_limits<std::int32_t>::max();

  static std::vector<BlockId> ids_of(std::span<KVCacheBlock* const> blocks) {
    std::vector<BlockId> ids;
    for (const KVCacheBlock* block : blocks) ids.push_back(block->block_id);
    return ids;
  }

  // The first kMaxItems; the others are counted.
  template <class Items>
  Json list(const Items& items) {
    Json result = Json::array();
    for (const auto& item : items) {
      if (result.size() < kMaxItems)
        result.push_back(item);
      else
        ++num_cut_;
    }
    return result;
  }

  Json state() {
    Json state = {
        {"free", list(ids_of(manager_.block_pool().free_block_queue().get_all_free_blocks()))},
        {"used", Json::object()}};
    std::vector<BlockId> cached;
    std::vector<std::string> hashes;
    for (const KVCacheBlock& block : manager_.block_pool().blocks()) {
      if (block.ref_cnt > 0) state["used"][std::to_string(block.block_id)] = block.ref_cnt;
      if (!block.block_hash) continue;
      cached.push_back(block.block_id);
      char text[19];
      std::snprintf(text, sizeof text, "0x%016llx",
                    static_cast<unsigned long long>(*block.block_hash));
      hashes.emplace_back(text);
    }
    state["cached"] = list(cached);
    state["hashes"] = list(hashes);
    for (const Request& request : running_) {
      state["block_tables"][request.request_id] =
          list(ids_of(manager_.get_blocks(request.request_id).blocks()));
      state["num_tokens"][request.request_id] = request.token_ids.size();
    }
    return state;
  }

  void log(const std::string& call, Json args, Json result, const std::string& sentence) {
    Json event;
    if (num_events_ == 0) event = {{"format", 1}, {"of", "start"}};
    event.update({{"step", num_events_++},
                  {"call", call},
                  {"args", std::move(args)},
                  {"result", std::move(result)},
                  {"exception", nullptr},
                  {"state", state()},
                  {"expected", Json::array()},
                  {"sentence", sentence},
                  {"cut", std::exchange(num_cut_, 0)}});
    out_ << event.dump() << '\n';
  }

  std::ostream& out_;
  std::size_t block_size_;
  KVCacheManager manager_;
  Request waiting_;
  std::deque<Request> running_;  // the oldest first
  std::size_t num_events_ = 0;
  std::size_t num_cut_ = 0;
};

}  // namespace

std::size_t write_events(const Trace& trace, const EventOptions& options) {
  std::ofstream out(options.file);
  EventLog log(out, options);
  const std::size_t num_slots = (options.num_blocks - 1) * options.block_size;
  for (std::size_t i = 0; i < trace.requests.size() && log.num_events() < kMaxEvents; ++i) {
    const std::size_t num_tokens = trace.requests[i].input_length;
    if (num_tokens > num_slots) continue;
    log.add(prompt_of(trace, i, num_tokens, options.block_size));
    while (!log.start() && log.num_running() > 0) log.free_oldest();
  }
  while (log.num_running() > 0) log.free_oldest();
  if (!out.flush()) throw ReplayError("cannot write " + options.file);
  return log.num_events();
}

}  // namespace kv::replay
