// Rung 1: rows of new tokens go to their slots.

#include <gtest/gtest.h>

#include "06-cuda-kernel/kernels.h"
#include "06-cuda-kernel/tests/decode_batch.h"
#include "06-cuda-kernel/tests/simulated.h"
#include "06-cuda-kernel/tests/traffic_sums.h"

namespace kv::grader {
namespace {

constexpr int kNumSlots = 12;

template <class Scalar>
class NewTokens {
 public:
  // first_slot: the caches have kNumSlots slots from here on.
  NewTokens(std::vector<std::int64_t> slots, int row_size, std::int64_t first_slot = 0)
      : row_size_(row_size),
        first_slot_(first_slot),
        slots_(std::move(slots)),
        random_(3),
        keys_(random_scalars<Scalar>(random_, slots_.size() * row())),
        values_(random_scalars<Scalar>(random_, slots_.size() * row())),
        unchanged_(kNumSlots * row(), Scalar(7.0f)),
        key_cache_(unchanged_),
        value_cache_(unchanged_) {
    name_arrays();
    log_step({"reshape_and_cache(slot_mapping)", "rows of {0} numbers into slots {1}"}, row_size,
             slots_);
  }

  void launch() const {
    const std::size_t num_before = static_cast<std::size_t>(first_slot_) * row();
    launch_reshape_and_cache<Scalar>(device_keys_.data(), device_values_.data(),
                                     before(key_cache_, num_before),
                                     before(value_cache_, num_before), device_slots_.data(),
                                     static_cast<int>(slots_.size()), row_size_);
  }

  void expect_in_slots() const {
    in_both_orders(
        [&] {
          launch();
          return std::pair(key_cache_.read(), value_cache_.read());
        },
        [&](const auto& caches) {
          expect_rows("key", caches.first, keys_);
          expect_rows("value", caches.second, values_);
        });
  }

 private:
  std::size_t row() const { return static_cast<std::size_t>(row_size_); }

  void name_arrays() const {
    const auto rows_of = [size = row()](const char* what, std::int64_t first) {
      return [=](std::size_t index) {
        return what + draw(first + static_cast<std::int64_t>(index / size)) + ", number " +
               draw(index % size) + " of the row";
      };
    };
    name_array(device_keys_, "key", rows_of("token ", 0));
    name_array(device_values_, "value", rows_of("token ", 0));
    name_array(key_cache_, "key_cache", rows_of("slot ", first_slot_));
    name_array(value_cache_, "value_cache", rows_of("slot ", first_slot_));
    name_array(device_slots_, "slot_mapping",
               [](std::size_t token) { return "token " + draw(token); });
  }

  void expect_rows(const char* what,
                   const std::vector<Scalar>& cache,
                   const std::vector<Scalar>& rows) const {
    std::vector<double> expected = widened(unchanged_);
    for (std::size_t token = 0; token < slots_.size(); ++token) {
      if (slots_[token] < 0) continue;
      const auto slot = static_cast<std::size_t>(slots_[token] - first_slot_);
      for (std::size_t i = 0; i < row(); ++i) {
        expected[slot * row() + i] =
            static_cast<double>(static_cast<float>(rows[token * row() + i]));
      }
    }
    const std::vector<double> yours = widened(cache);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_SAME(yours[i], expected[i])
          << what << "_cache, slot " << first_slot_ + static_cast<std::int64_t>(i / row())
          << ", number " << i % row() << " of the row";
    }
  }

  int row_size_;
  std::int64_t first_slot_;
  std::vector<std::int64_t> slots_;
  Random random_;
  std::vector<Scalar> keys_, values_, unchanged_;
  DeviceArray<Scalar> device_keys_{keys_}, device_values_{values_};
  DeviceArray<std::int64_t> device_slots_{slots_};
  DeviceArray<Scalar> key_cache_, value_cache_;
};

constexpr const char* kStep = "6.4 reshape_and_cache";

// A row that begins at number 2^32 of key and value; the tokens before it are padding.
void expect_row_of_a_far_token() {
  constexpr std::size_t kRowSize = 1 << 19, kToken = 1 << 13;
  std::vector<float> row(kRowSize);
  std::iota(row.begin(), row.end(), 0.0f);
  std::vector<std::int64_t> slots(kToken, -1);
  slots.push_back(0);
  const DeviceArray<float> rows(row), keys(unwritten(kRowSize)), values(unwritten(kRowSize));
  const DeviceArray<std::int64_t> device_slots(slots);
  const float* const first_row = before(rows, kToken * kRowSize);
  log_step({"reshape_and_cache(far)", "token {0} has a slot, and a row of {1} numbers"}, kToken,
           kRowSize);
  in_both_orders(
      [&] {
        launch_reshape_and_cache<float>(first_row, first_row, keys.data(), values.data(),
                                        device_slots.data(), static_cast<int>(slots.size()),
                                        static_cast<int>(kRowSize));
        return std::pair(keys.read(), values.read());
      },
      [&](const auto& caches) {
        for (std::size_t i = 0; i < kRowSize; ++i) {
          ASSERT_SAME(caches.first[i], row[i]) << "number " << i << " of the key";
          ASSERT_SAME(caches.second[i], row[i]) << "number " << i << " of the value";
        }
      });
}

// All numbers of 16 bits: every NaN too, which arithmetic would change.
template <class Scalar>
void expect_all_bits_copied() {
  if (testing::Test::HasFailure()) return;
  std::vector<std::uint16_t> bits(1 << 16);
  std::iota(bits.begin(), bits.end(), std::uint16_t{0});
  const DeviceArray<std::uint16_t> rows(bits), keys(bits.size()), values(bits.size());
  const DeviceArray<std::int64_t> slots(std::vector<std::int64_t>{0});
  const auto as_scalars = [](const DeviceArray<std::uint16_t>& array) {
    return reinterpret_cast<Scalar*>(array.data());
  };
  log_step({"reshape_and_cache(bits)", "one row of all {0} numbers of 16 bits"}, bits.size());
  launch_reshape_and_cache<Scalar>(as_scalars(rows), as_scalars(rows), as_scalars(keys),
                                   as_scalars(values), slots.data(), 1,
                                   static_cast<int>(bits.size()));
  const auto copied_keys = keys.read(), copied_values = values.read();
  for (std::size_t i = 0; i < bits.size(); ++i) {
    ASSERT_SAME(copied_keys[i], bits[i]) << "the bits of a key";
    ASSERT_SAME(copied_values[i], bits[i]) << "the bits of a value";
  }
}

template <class Scalar>
void expect_rows_of_any_size() {
  for (const int row_size : {8, 129, 1000}) {
    if (!testing::Test::HasFailure()) NewTokens<Scalar>({1, 0}, row_size).expect_in_slots();
  }
}

template <class Scalar>
void expect_neighbors() {
  const NewTokens<Scalar> tokens({3, 0, 11, 4}, 256);
  const TrafficSums sums = sums_of(traffic_of([&] { tokens.launch(); }));
  EXPECT_HOLDS(10 * sums.sectors <= 11 * sums.ideal_sectors)
      << "with numbers of " << sizeof(Scalar) << " bytes, your requests move " << sums.sectors
      << " sectors of 32 bytes, and " << sums.ideal_sectors
      << " hold the bytes they ask for: let neighboring threads copy neighboring numbers";
}

TEST(ReshapeAndCache, CopiesRowsToTheirSlots) {
  SPEC("the key and the value of a token go to its slot, and no other slot changes", kStep,
       "row slot_mapping[i] of the caches");
  NewTokens<float>({5}, 64).expect_in_slots();
  NewTokens<float>({3, 0, 11, 4}, 128).expect_in_slots();
}

TEST(ReshapeAndCache, SkipsPadding) {
  SPEC("a token whose slot is -1 is skipped", kStep, "is -1 is skipped");
  NewTokens<float>({2, -1, 9, -1}, 64).expect_in_slots();
  NewTokens<float>({-1}, 64).expect_in_slots();
  NewTokens<float>({}, 64).expect_in_slots();
}

TEST(ReshapeAndCache, RowsOfAnySize) {
  SPEC("a row may be shorter or longer than the block of threads", kStep,
       "Copies the key and the value");
  expect_rows_of_any_size<float>();
  expect_rows_of_any_size<__half>();
  expect_rows_of_any_size<__nv_bfloat16>();
}

TEST(ReshapeAndCache, Needs64Bits) {
  SPEC("a large cache has more slots than 32 bits can count, and many tokens more numbers", kStep,
       "row slot_mapping[i] of the caches", "the key and the value of token i");
  constexpr std::int64_t kFar = 5'000'000'000;
  NewTokens<float>({kFar + 3, -1, kFar}, 64, kFar).expect_in_slots();
  if (!HasFailure()) expect_row_of_a_far_token();
}

TEST(ReshapeAndCache, EveryType) {
  SPEC("half and bfloat16 are copied bit by bit", kStep, "Copies the key and the value");
  NewTokens<__half>({4, -1, 2}, 64).expect_in_slots();
  NewTokens<__nv_bfloat16>({4, -1, 2}, 64).expect_in_slots();
  expect_all_bits_copied<__half>();
  expect_all_bits_copied<__nv_bfloat16>();
}

TEST(ReshapeAndCache, NeighborsCopyNeighbors) {
  SPEC("a warp reads and writes neighboring numbers", kStep, "neighboring numbers");
  expect_neighbors<float>();
  if (!HasFailure()) expect_neighbors<__half>();
}

}  // namespace
}  // namespace kv::grader
