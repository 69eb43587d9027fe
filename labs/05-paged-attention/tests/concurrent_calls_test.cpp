// Threads of the optimized kernel: of one call, and of two calls at one time.

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <future>
#include <thread>

#include "05-paged-attention/tests/page_trap.h"
#include "05-paged-attention/tests/tiled_batch.h"
#include "grader/harness/expectations.h"

namespace kv::grader::concurrent_calls {
namespace {

// Two calls at one time, in the same way in every run: one is stopped where it first reads a page,
// until the other one, on a thread of its own, has run from its beginning to its end.
class InterruptedPages : PageTrap {
 public:
  explicit InterruptedPages(std::size_t num_pages) : PageTrap(num_pages) {}

  using PageTrap::numbers;
  using PageTrap::page_size;

  template <class Stopped, class Other>
  void stop_at(std::size_t page, Stopped stopped, Other other) {
    state_ = kRunning;
    std::future<void> thread = std::async(std::launch::async, [&] {
      while (state_ == kRunning) ::sched_yield();
      if (advance(kStopped, kOtherRuns)) other();
      state_ = kOver;
    });
    const AtEnd at_end(state_);
    protect(page, 1, PROT_NONE);
    trap(stopped);
    EXPECT_HOLDS(state_ != kRunning) << "tile " << page << " has not been read";
    state_ = kOver;
    thread.get();
  }

 private:
  enum State { kRunning, kStopped, kOtherRuns, kOver };

  // Why a destructor: if the call throws, the other one must not wait for it.
  class AtEnd {
   public:
    explicit AtEnd(std::atomic<State>& state) : state_(state) {}
    ~AtEnd() { state_ = kOver; }

   private:
    std::atomic<State>& state_;
  };

  // Waits for the other call to begin, however long a busy machine takes to run its thread. Why not
  // to end, too: calls may wait for each other.
  void read_of(std::size_t page) override {
    advance(kRunning, kStopped);
    while (state_ == kStopped) ::sched_yield();
    for (int i = 0; i < 100'000 && state_ == kOtherRuns; ++i) ::sched_yield();
    protect(page, 1, PROT_READ | PROT_WRITE);
  }

  // False, and nothing changes, if the state is another one: two threads can read one closed page.
  bool advance(State from, State to) { return state_.compare_exchange_strong(from, to); }

  std::atomic<State> state_ = kRunning;
};

constexpr std::size_t kNumBlocks = 4;

// One sequence of 50 tokens, four heads.
template <class Stored>
std::vector<float> attend(std::span<Stored> tiles,
                          const std::vector<float>& query,
                          WorkPlan plan = {}) {
  std::vector<float> out(query.size());
  const std::size_t head_dim = tiles.size() / kNumBlocks / 2 / kTileTokens;
  paged_attention_tiled<Stored>(out, query, {kNumBlocks, 1, head_dim, tiles},
                                std::vector<BlockId>{2, 0, 3, 1}, std::vector<std::size_t>{50},
                                0.25f, plan);
  return out;
}

// A tile is a page, so a call can be stopped in keys or in values.
template <class Stored>
struct StoppableTiles {
  StoppableTiles() {
    for (Stored& number : tiles) number = narrow<Stored>(static_cast<float>(random_number(random)));
  }

  std::vector<float> query() { return as<float>(random_numbers(random, kHeadsAtOnce * head_dim)); }

  InterruptedPages pages{2 * kNumBlocks};
  const std::size_t head_dim = InterruptedPages::page_size() / sizeof(Stored) / kTileTokens;
  const std::span<Stored> tiles = pages.numbers<Stored>();
  Random random{7};
};

template <class Stored>
void expect_undisturbed() {
  StoppableTiles<Stored> memory;
  const std::span<Stored> tiles = memory.tiles;
  std::vector<Stored> copy(tiles.begin(), tiles.end());
  const auto query = memory.query(), other_query = memory.query();
  const auto expected = attend<Stored>(copy, query);
  const auto other_expected = attend<Stored>(copy, other_query);
  for (const std::size_t page : {4u, 0u, 1u, 3u}) {
    log_step({"paged_attention_tiled(page)", "paged_attention_tiled, stopped in tile {0}"}, page);
    std::vector<float> out, other_out;
    memory.pages.stop_at(
        page, [&] { out = attend<Stored>(tiles, query); },
        [&] { other_out = attend<Stored>(copy, other_query); });
    log_returned();
    EXPECT_SAME(out, expected) << "the stopped call, while another one ran";
    EXPECT_SAME(other_out, other_expected) << "the call that ran meanwhile";
  }
}

TEST(AttentionTiled, CallsRunAtOneTime) {
  SPEC("calls on two threads do not change each other's results", "5.13 read_part");
  expect_undisturbed<float>();
  expect_undisturbed<BFloat16>();
}

template <class Stored>
void expect_same_bits(const Call& call) {
  TiledBatch<Stored> batch(call);
  for (const std::size_t num_splits : {1u, 2u, 3u, 5u}) {
    const auto expected = batch.attend({1, num_splits});
    for (const std::size_t num_threads : {2u, 8u, 16u}) {
      EXPECT_SAME(batch.attend({num_threads, num_splits}), expected)
          << num_threads << " threads, and one, with " << num_splits << " splits";
    }
  }
  constexpr std::size_t kMany = std::size_t{1} << 16;
  EXPECT_SAME(batch.attend({kMany, kMany}), batch.attend({1, kMany}))
      << "the same with 2^16 splits";
}

// One thread stops in the first split, for as long as the other one needs for all other splits.
template <class Stored>
void expect_any_order_of_threads() {
  using namespace std::chrono_literals;
  StoppableTiles<Stored> memory;
  const auto query = memory.query();
  const WorkPlan two_threads = {2, kNumBlocks};
  const auto expected = attend<Stored>(memory.tiles, query, {1, kNumBlocks});
  log_step("paged_attention_tiled, 2 threads, a split for each block: the first one ends last");
  std::vector<float> out;
  memory.pages.stop_at(
      4, [&] { out = attend<Stored>(memory.tiles, query, two_threads); },
      [] { std::this_thread::sleep_for(50ms); });
  log_returned();
  EXPECT_SAME(out, expected) << "the bits depend on which thread ends first";
}

TEST(AttentionTiled, ThreadsChangeNothing) {
  SPEC("the result does not depend on the number of threads, not in the last bit",
       "5.13 read_part");
  for (const Call& call : {Call{8, 2, 32, {200, 3, 77}}, Call{8, 2, 32, {200}},
                           Call{4, 1, 16, {2000}}, Call{4, 1, 16, {700, 900}}}) {
    expect_same_bits<float>(call);
    expect_same_bits<BFloat16>(call);
  }
  expect_any_order_of_threads<float>();
  expect_any_order_of_threads<BFloat16>();
}

}  // namespace
}  // namespace kv::grader::concurrent_calls
