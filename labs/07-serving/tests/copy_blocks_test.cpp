// Step 7.18: blocks are copied in the caches of all layers.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "07-serving/model_input.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"
#include "grader/harness/random.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

constexpr const char* kCopyBlocks = "7.18 copy_blocks";

// The caches of some layers, in which no number is there twice.
class LayerCaches {
 public:
  explicit LayerCaches(const PagedLayout& layout, std::size_t num_layers = 3)
      : LayerCaches(std::vector<PagedLayout>(num_layers, layout)) {}

  explicit LayerCaches(const std::vector<PagedLayout>& layouts)
      : layouts_(layouts), keys_(layouts.size()), values_(layouts.size()) {
    const PagedLayout& layout = layouts_.back();
    log_start("",
              {"caches(num_layers, num_blocks, block_size, num_kv_heads, head_dim)",
               "{0} layers; {1} blocks of {2} slots, in the last one {3} KV heads of {4} numbers"},
              layouts_.size(), layout.num_blocks, layout.block_size, layout.num_kv_heads,
              layout.head_dim);
    float number = 1;
    for (auto* caches : {&keys_, &values_}) {
      for (std::size_t layer = 0; layer < layouts_.size(); ++layer) {
        (*caches)[layer].resize(layouts_[layer].size());
        for (float& value : (*caches)[layer]) value = number++;
      }
    }
  }

  void copy(const std::vector<BlockCopy>& copies) {
    log_copies(copies);
    copy_blocks(views(), copies);
    log_returned();
  }

  // Every number is what it is after the copies have been made one after the other, slot by slot.
  void expect_copied(const std::vector<BlockCopy>& copies) {
    LayerCaches expected = *this;
    for (const BlockCopy& one : copies) expected.copy_slot_by_slot(one);
    copy(copies);
    expect_same(expected);
  }

  void expect_copies_refused(const std::vector<BlockCopy>& copies, const char* why) {
    const LayerCaches before = *this;
    log_copies(copies);
    EXPECT_REFUSED(copy_blocks(views(), copies)) << why;
    expect_same(before);
  }

 private:
  static void log_copies(const std::vector<BlockCopy>& copies) {
    std::string text;
    for (const auto& [source, destination, num_slots] : copies)
      text += (text.empty() ? "" : ", ") + std::to_string(num_slots) + " slots of #" +
              std::to_string(source) + " to #" + std::to_string(destination);
    log_step("copy_blocks: " + (text.empty() ? "nothing" : text));
  }

  std::vector<KVCache<float>> views() {
    std::vector<KVCache<float>> views;
    for (std::size_t layer = 0; layer < keys_.size(); ++layer)
      views.push_back({layouts_[layer], keys_[layer], values_[layer]});
    return views;
  }

  void copy_slot_by_slot(const BlockCopy& copy) {
    for (const KVCache<float>& cache : views()) {
      const auto block_size = static_cast<SlotId>(cache.layout.block_size);
      for (SlotId i = 0; i < static_cast<SlotId>(copy.num_slots); ++i) {
        for (std::size_t head = 0; head < cache.layout.num_kv_heads; ++head) {
          const SlotId from = copy.source * block_size + i, to = copy.destination * block_size + i;
          std::ranges::copy(cache.key(from, head), cache.key(to, head).begin());
          std::ranges::copy(cache.value(from, head), cache.value(to, head).begin());
        }
      }
    }
  }

  void expect_same(const LayerCaches& expected) {
    for (std::size_t layer = 0; layer < keys_.size(); ++layer) {
      expect_same("key", layer, expected.keys_[layer], keys_[layer]);
      expect_same("value", layer, expected.values_[layer], values_[layer]);
    }
  }
  void expect_same(const char* what,
                   std::size_t layer,
                   const std::vector<float>& expected,
                   const std::vector<float>& yours) {
    const auto first = std::ranges::mismatch(expected, yours);
    if (first.in1 == expected.end() || testing::Test::HasFailure()) return;
    const PagedLayout& layout = layouts_[layer];
    const auto slot = static_cast<std::size_t>(first.in1 - expected.begin()) / layout.token_size();
    ADD_FAILURE() << "another " << what << " is expected in layer " << layer << ", slot "
                  << slot % layout.block_size << " of block #" << slot / layout.block_size << ": "
                  << *first.in1 << ", yours is " << *first.in2;
  }

  std::vector<PagedLayout> layouts_;               // [layer]
  std::vector<std::vector<float>> keys_, values_;  // [layer]
};

constexpr PagedLayout kSmall = {6, 4, 2, 3};

TEST(CopyBlocks, KeysAndValuesOfAllLayers) {
  SPEC("keys and values of each layer are in both blocks", kCopyBlocks,
       "the keys and values of all layers", "are those of the block destination then, too");
  LayerCaches(kSmall).expect_copied({{1, 3, 2}});
  LayerCaches(kSmall).expect_copied({{5, 1, 4}, {2, 4, 3}});
  LayerCaches(kSmall, 1).expect_copied({{5, 1, 4}});
  LayerCaches(kSmall).expect_copied({});
  LayerCaches({3, 1, 1, 1}).expect_copied({{1, 2, 1}});
  LayerCaches({9, 7, 1, 5}, 2).expect_copied({{8, 1, 6}, {3, 2, 1}});
  LayerCaches({{6, 4, 2, 3}, {6, 4, 1, 5}, {6, 4, 4, 2}}).expect_copied({{5, 1, 4}, {2, 4, 3}});
}

TEST(CopyBlocks, TheComputedSlotsOnly) {
  SPEC("the other slots of the block, and other blocks, stay as they are", kCopyBlocks,
       "the first num_slots slots", "No other number changes");
  for (std::size_t num_slots = 0; num_slots <= kSmall.block_size; ++num_slots) {
    LayerCaches(kSmall).expect_copied({{1, 3, num_slots}});
    LayerCaches(kSmall).expect_copied({{4, 2, num_slots}});
  }
  LayerCaches(kSmall).expect_copied({{2, 2, 3}});
}

TEST(CopyBlocks, InTheOrderOfTheList) {
  SPEC("a block that is copied first can be overwritten by a later copy, and a copy be copied",
       kCopyBlocks, "in the order of the list");
  LayerCaches(kSmall).expect_copied({{1, 2, 4}, {3, 1, 4}});
  LayerCaches(kSmall).expect_copied({{1, 2, 4}, {2, 3, 3}, {3, 4, 2}});
  LayerCaches(kSmall).expect_copied({{1, 5, 4}, {2, 5, 2}});
}

TEST(CopyBlocks, RefusesTheWholeCall) {
  SPEC("a block or a slot that a cache does not have refuses the whole call", kCopyBlocks,
       "a block that a cache does not have", "or more slots than a block has",
       "refuse the whole call");
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  LayerCaches caches(kSmall);
  const BlockCopy good = {1, 2, 3};
  caches.expect_copies_refused({good, {6, 2, 1}}, "the blocks are 0 to 5");
  caches.expect_copies_refused({good, {1, 6, 1}}, "the blocks are 0 to 5");
  caches.expect_copies_refused({good, {-1, 2, 1}}, "the blocks are 0 to 5");
  caches.expect_copies_refused({good, {1, -1, 1}}, "the blocks are 0 to 5");
  caches.expect_copies_refused({good, {1, 2, 5}}, "a block has 4 slots");
  caches.expect_copies_refused({good, {1, 2, kHuge}}, "a block has 4 slots");
  caches.expect_copied({good});
}

// More numbers in a block, and more of them before it, than 16 bits count.
TEST(CopyBlocks, LargeBlocks) {
  SPEC("blocks of any size, wherever they are", kCopyBlocks, "the first num_slots slots");
  allow_steps(200'000'000);
  LayerCaches({4, 66'000, 1, 1}, 1).expect_copied({{1, 3, 65'999}});
  LayerCaches({66'000, 1, 1, 2}, 1).expect_copied({{65'999, 65'537, 1}, {3, 65'998, 1}});
}

TEST(CopyBlocks, RandomLists) {
  SPEC("any list of copies, one after the other", kCopyBlocks, "in the order of the list",
       "No other number changes");
  Random random(history_seed());
  for (int i = 0; i < 200 && !HasFailure(); ++i) {
    const PagedLayout layout = {2 + random.below(8), 1 + random.below(5), 1 + random.below(3),
                                1 + random.below(4)};
    std::vector<BlockCopy> copies(random.below(6));
    for (BlockCopy& copy : copies)
      copy = {static_cast<BlockId>(random.below(layout.num_blocks)),
              static_cast<BlockId>(random.below(layout.num_blocks)),
              random.below(layout.block_size + 1)};
    clear_log();
    LayerCaches(layout, 1 + random.below(3)).expect_copied(copies);
  }
}

}  // namespace
}  // namespace kv::grader
