// Times free_blocks(64) + get_new_blocks(64) on the block pool and on the same pool with Boost's
// list. Half of the blocks are in use, by requests of 64 blocks that end in the order in which they
// came. The queue is shuffled in memory, as it is after hours of service.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "02-block-pool/bench/boost_pool.h"
#include "02-block-pool/block_pool.h"
#include "grader/harness/ratio_table.h"

namespace kv::bench {

constexpr std::size_t kRequest = 64;  // blocks of a request
constexpr Name kGetFree = "get + free, a block";
constexpr Name kOurs = "BlockPool", kBareBoost = "boost, nothing checked";
constexpr Name kSameOnBoost = "boost, our contract";

const std::vector<std::size_t> kSizes = {1'000, 100'000, 1'000'000};
const std::vector<Name> kPeers = {kOurs, kSameOnBoost, kBareBoost};
const Table kTable = {kGetFree, "blocks",     kSizes,  kRequest,
                      kPeers,   kSameOnBoost, {kOurs}, kSameOnBoost};
const std::vector<Goal> kGoals = {{kGetFree, kOurs, kSameOnBoost, {1.1, 1.1, 1.1}}};

// A pool with a shuffled queue, and the requests that use half of its blocks.
template <class Pool, class Block>
class BusyPool {
 public:
  explicit BusyPool(std::unique_ptr<Pool> pool) : pool_(std::move(pool)) {
    std::vector<Block*> blocks = *pool_->get_new_blocks(pool_->get_num_free_blocks());
    std::ranges::shuffle(blocks, std::mt19937(42));
    pool_->free_blocks(blocks);
    const std::size_t num_requests = blocks.size() / 2 / kRequest;
    for (std::size_t i = 0; i < num_requests; ++i)
      requests_.push_back(*pool_->get_new_blocks(kRequest));
    std::vector<BlockId> ids;
    for (const auto& request : requests_) {
      for (const Block* block : request) ids.push_back(block->block_id);
    }
    answer_ = fingerprint(ids);
  }

  double answer() const { return answer_; }

  void replace_oldest_request() {
    pool_->free_blocks(requests_[oldest_]);
    requests_[oldest_] = *pool_->get_new_blocks(kRequest);
    oldest_ = (oldest_ + 1) % requests_.size();
  }

 private:
  std::unique_ptr<Pool> pool_;
  std::vector<std::vector<Block*>> requests_;
  std::size_t oldest_ = 0;
  double answer_;  // fingerprint of the blocks that the requests got
};

// Why one pool for all turns: shuffling a million blocks takes a second.
template <class Pool, class Block, class Make>
void add(Name peer, Make make_pool) {
  for (const std::size_t num_blocks : kSizes) {
    const auto run = [make_pool, num_blocks](benchmark::State& state) {
      static std::map<std::size_t, std::unique_ptr<BusyPool<Pool, Block>>> built;
      auto& pool = built[num_blocks];
      if (!pool) pool = std::make_unique<BusyPool<Pool, Block>>(make_pool(num_blocks));
      rows().answer(pool->answer());
      // Why a warm-up: other competitors have used the caches since this one's last turn.
      for (int i = 0; i < 4'000; ++i) pool->replace_oldest_request();
      for (auto _ : state) pool->replace_oldest_request();
    };
    add_row(kTable, peer, num_blocks, run);
  }
}

}  // namespace kv::bench

int main(int argc, char** argv) {
  using namespace kv::bench;
  add<kv::BlockPool, kv::KVCacheBlock>(
      kOurs, [](std::size_t n) { return std::make_unique<kv::BlockPool>(n, 16); });
#if KV_BENCH_HAS_BOOST
  using Same = BoostPool<Checks::kOurs>;
  using Bare = BoostPool<Checks::kNone>;
  add<Same, Same::Block>(kSameOnBoost, [](std::size_t n) { return std::make_unique<Same>(n); });
  add<Bare, Bare::Block>(kBareBoost, [](std::size_t n) { return std::make_unique<Bare>(n); });
#else
  report_missing_boost();
#endif
  RatioTable table({kTable}, kGoals);
  return run_in_turns(argc, argv, table);
}
