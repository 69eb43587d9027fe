// The queue does what that of vLLM 0.33 does, call by call.

#include "01-free-queue/tests/recorded_lines.h"
#include "01-free-queue/tests/recorded_queue.h"
#include "reference/golden/block_steps.h"

namespace kv::grader {
namespace {

// A queue that gets the calls of one trace.
class Replay {
 public:
  explicit Replay(const Words& sizes) : queue_(std::stoul(sizes.at(2))) {}

  void line(const std::string& line) {
    const Words parts = split_at(line, '|');
    call(words_of(parts[0]));
    if (parts.size() > 1) free_ = ids_in(words_of(parts[1]).at(1));
    queue_.expect_free(free_);
  }

 private:
  void call(const Words& words) {
    const auto ids = [&] { return ids_in(words.at(1)); };
    if (words[0] == "append") queue_.append(ids().at(0));
    if (words[0] == "append_n") queue_.append_n(ids());
    if (words[0] == "popleft") queue_.expect_popleft(only_one(given_in(words.at(1))));
    if (words[0] == "popleft_n")
      queue_.expect_popleft_n(std::stoul(words.at(1)), given_in(words.at(2)));
    if (words[0] == "remove") remove(ids().at(0), words.size() > 2);
  }
  void remove(BlockId id, bool is_to_be_refused) {
    if (!is_to_be_refused) return queue_.remove(id);
    expect_refused(queue_, "the block is in no queue", [&] { queue_.remove(id); });
  }
  static std::optional<BlockId> only_one(const std::optional<Ids>& given) {
    return given ? std::optional(given->at(0)) : std::nullopt;
  }

  RecordedQueue<FreeKVCacheBlockQueue> queue_;
  Ids free_;
};

TEST(RecordedSteps, OfTheQueue) {
  SPEC("every call does what it did in vLLM 0.33, and leaves the queue in the same order",
       "1.6 append_n", "in the order given", "1.2 from wherever it is", "1.3 the head, and returns",
       "1.4 at the tail", "1.5 nullopt when fewer are free");
  expect_recorded({"queue_steps_0_33.inc", golden::kQueueSteps033},
                  [](const Words& sizes) { return std::make_unique<Replay>(sizes); });
}

}  // namespace
}  // namespace kv::grader
