// Rung 5, its parts: partitions, how they are merged, and how long they are.

#include <gtest/gtest.h>

#include <cmath>

#include "06-cuda-kernel/tests/rungs.h"

namespace kv::grader {
namespace {

constexpr int kMaxInt = std::numeric_limits<int>::max();

// There are two more partitions than the tokens need.
void expect_partitions(int partition_size) {
  DecodeBatch<float> batch({4, 2, 64, 16, {75, 32}});
  const PagedAttentionParams<float> params = batch.params();
  const int num_partitions = params.max_seq_len / partition_size + 3;
  Partials partials(params, num_partitions);
  partials.fill_with_nan();
  log_step({"paged_attention_v2(partition_size)", "partitions of {0} tokens"}, partition_size);
  in_both_orders(
      [&] {
        launch_paged_attention_v2_partitions(partials.results(), params, partition_size);
        return 0;
      },
      [&](int) {
        for (int i = 0; i < num_partitions - 2; ++i) {
          expect_partition(batch, partials, i, partition_size * i, partition_size * (i + 1));
        }
      });
}

void expect_blocks_of_partitions() {
  DecodeBatch<float> batch({1, 1, 64, 16, {96, 64}});
  PagedAttentionParams<float> params = batch.params();
  constexpr int kSize = 32;
  const Partials partials(params, 3);
  log_step({"paged_attention_v2(partition_size)", "partitions of {0} tokens"}, kSize);
  OwnBlocks blocks(
      [&] { launch_paged_attention_v2_partitions(partials.results(), params, kSize); });
  for (const Part part : {Part{0, 0, 32}, {0, 32, 64}, {0, 64, 96}, {1, 0, 32}, {1, 32, 64}}) {
    std::vector<int> tables = batch.tables();
    const std::size_t row = part.seq * static_cast<std::size_t>(params.max_num_blocks_per_seq);
    tables[row + static_cast<std::size_t>(part.first / params.block_size)] = 0;  // not written
    const DeviceArray<int> device_tables(tables);
    params.block_tables = device_tables.data();
    blocks.add(part.text(),
               [&] { launch_paged_attention_v2_partitions(partials.results(), params, kSize); });
  }
}

TEST(Partitions, OneStateForEach) {
  SPEC("a partition is partition_size tokens, the last one may have fewer",
       "6.15 paged_attention_v2", "may have fewer tokens", "one thread block for each");
  expect_partitions(32);
  if (!HasFailure()) expect_partitions(20);  // begins and ends inside a block
  if (!HasFailure()) expect_partitions(7);
  if (!HasFailure()) expect_blocks_of_partitions();
}

TEST(Partitions, OfAnySize) {
  SPEC("a partition may have more tokens than 31 bits can count twice", "6.15 paged_attention_v2",
       "all partitions of partition_size tokens");
  expect_partitions(1 << 30);
  if (!HasFailure()) expect_partitions(kMaxInt);
}

TEST(Partitions, EmptyOnesAreNotWritten) {
  SPEC("a partition past the end is not written", "6.15 paged_attention_v2",
       "those after it are not written");
  DecodeBatch<float> batch({2, 1, 64, 16, {3, 0}});
  const PagedAttentionParams<float> params = batch.params();
  constexpr int kNumPartitions = 2;
  const std::vector<float> before(2 * 2 * kNumPartitions, 7);
  DeviceArray<float> sums(before), maxima(before);
  const DeviceArray<float> outs(std::vector<float>(before.size() * 64, 7));
  log_step({"paged_attention_v2(partition_size)", "partitions of {0} tokens"}, 16);
  in_both_orders(
      [&] {
        launch_paged_attention_v2_partitions(
            {sums.data(), maxima.data(), outs.data(), kNumPartitions}, params, 16);
        return 0;
      },
      [&](int) {
        for (const std::size_t at : {1u, 3u, 4u, 5u, 6u, 7u}) {
          const std::string of = "[" + std::to_string(at) + "], of a partition without tokens";
          ASSERT_SAME(sums.read()[at], 7.0f) << "exp_sums" << of;
          ASSERT_SAME(maxima.read()[at], 7.0f) << "max_logits" << of;
          ASSERT_SAME(outs.read()[at * 64], 7.0f) << "tmp_out" << of;
        }
      });
}

TEST(Partitions, RefusesTooFew) {
  SPEC("fewer partitions than max_seq_len needs are refused", "6.15 paged_attention_v2",
       "fewer partitions than max_seq_len needs are refused");
  DecodeBatch<float> batch({1, 1, 64, 16, {48}});
  PagedAttentionParams<float> params = batch.params();
  for (const int size : {1, 16}) {
    const Partials enough(params, 48 / size);
    const auto launch = [&] {
      launch_paged_attention_v2_partitions(enough.results(), params, size);
    };
    expect_no_findings(seen_of(simt::ThreadOrder::kForward, false, launch), "");
  }
  const Partials two(params, 2);
  EXPECT_REFUSED(launch_paged_attention_v2_partitions(two.results(), params, 16))
      << "48 tokens in 2 partitions of 16";
  params.max_seq_len = 0;
  EXPECT_REFUSED(launch_paged_attention_v2_partitions(two.results(), params, 0))
      << "partitions of 0 tokens";
}

// Partial results that are the same for all query heads; those of partitions past the end are not
// written.
class GivenPartials {
 public:
  // first_row: rows before it have no memory.
  GivenPartials(const PagedAttentionParams<float>& params,
                const std::vector<int>& seq_lens,
                int partition_size,
                int num_partitions,
                std::size_t first_row = 0)
      : first_(first_row * static_cast<std::size_t>(num_partitions)),
        head_size_(static_cast<std::size_t>(params.head_size)),
        num_partitions_(num_partitions) {
    for (std::size_t row = first_row; row < seq_lens.size() * heads(params); ++row) {
      const int seq_len = seq_lens[row / heads(params)];
      const std::size_t begin = (row - first_row) * static_cast<std::size_t>(num_partitions);
      for (std::size_t i = 0;
           i * static_cast<std::size_t>(partition_size) < static_cast<std::size_t>(seq_len); ++i) {
        write(begin + i, i);
      }
    }
  }

  PartialResults results() const {
    return {before(sums_, first_), before(maxima_, first_), before(outs_, first_ * head_size_),
            num_partitions_};
  }

  // The result of num_parts parts.
  static double merged(int num_parts) {
    double sum = 0, out = 0;
    for (int i = 0; i < num_parts; ++i) {
      sum += std::exp(double{max_of(i)}) * double{sum_of(i)};
      out += std::exp(double{max_of(i)}) * double{out_of(i)};
    }
    return num_parts == 0 ? 0 : out / sum;
  }

 private:
  static constexpr std::size_t kMaxParts = 2'048;
  static float max_of(int i) { return static_cast<float>(i % 3); }
  static float sum_of(int i) { return static_cast<float>(1 + i); }
  static float out_of(int i) { return static_cast<float>(3 - 2 * i); }
  static std::size_t heads(const PagedAttentionParams<float>& params) {
    return static_cast<std::size_t>(params.num_heads);
  }
  void write(std::size_t at, std::size_t i) {
    const int part = static_cast<int>(i);
    const float largest = max_of(part), sum = sum_of(part);
    const std::vector<float> out(head_size_, out_of(part));
    maxima_.write(at, &largest, 1);
    sums_.write(at, &sum, 1);
    outs_.write(at * head_size_, out.data(), head_size_);
  }

  std::size_t first_, head_size_;
  int num_partitions_;
  DeviceArray<float> sums_{kMaxParts}, maxima_{kMaxParts}, outs_{kMaxParts * 128};
};

void expect_merged(DecodeBatch<float>& batch, const GivenPartials& partials, int partition_size) {
  const PagedAttentionParams<float> params = batch.params();
  log_step({"paged_attention_v2_reduce(partition_size)", "partitions of {0} tokens"},
           partition_size);
  in_both_orders(
      [&] {
        launch_paged_attention_v2_reduce(partials.results(), params, partition_size);
        return batch.out();
      },
      [&](const std::vector<double>& out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
          const std::size_t row = i / static_cast<std::size_t>(params.head_size);
          const std::size_t seq = row / static_cast<std::size_t>(params.num_heads);
          const double num_parts = std::ceil(batch.shape().seq_lens[seq] / double(partition_size));
          const double expected = GivenPartials::merged(static_cast<int>(num_parts));
          const auto num_terms = static_cast<std::size_t>(num_parts) + 16;
          if (!is_near(out[i], expected, double{sum_tolerance<float>(num_terms)},
                       "row " + std::to_string(row) + " of out"))
            return;
        }
      });
}

TEST(MergedPartitions, OnlyThoseWithTokens) {
  SPEC("partitions past the end of a sequence are not read", "6.16 paged_attention_v2_reduce",
       "merges the partitions");
  const std::vector<int> seq_lens = {40, 0, 16, 65};
  DecodeBatch<float> batch({2, 1, 64, 16, seq_lens});
  for (const int size : {16, 13, 65, kMaxInt}) {
    expect_merged(batch, GivenPartials(batch.params(), seq_lens, size, 6), size);
    if (HasFailure()) return;
  }
  DecodeBatch<float> of_many({1, 1, 64, 16, {2'000}});
  expect_merged(of_many, GivenPartials(of_many.params(), {2'000}, 1, 2'048), 1);
}

TEST(MergedPartitions, Needs64Bits) {
  SPEC("partial results can be more than 32 bits can count", "6.16 paged_attention_v2_reduce",
       "merges the partitions");
  const std::vector<int> seq_lens = {0, 40};
  DecodeBatch<float> batch({1, 1, 128, 16, seq_lens});
  constexpr int kNumPartitions = 1 << 25;
  expect_merged(batch, GivenPartials(batch.params(), seq_lens, 16, kNumPartitions, 1), 16);
}

int ceil_div(int number, int unit) {
  return (number + unit - 1) / unit;
}

TEST(ChoosePartitionSize, FillsTheGpu) {
  SPEC("as many partitions as the GPU has room for", "6.17 choose_partition_size",
       "the thread blocks of all partitions can be at work at the same time",
       "one partition has all max_seq_len tokens", "For an empty batch");
  struct Case {
    int max_seq_len, num_blocks, num_blocks_at_once, size;
  };
  for (const Case& each : {Case{65'536, 8, 528, 1024},  // 66 partitions of 993 tokens would fit
                           {4096, 8, 528, 64},
                           {8192, 64, 528, 1024},
                           {100'000, 300, 528, 100'032},
                           {100'000, 600, 528, 100'032},
                           {1'000'000, 200'000, 528, 1'000'000},
                           {1, 1, 1, 64},
                           {65, 1, 1, 128},
                           {128, 1, 2, 64},
                           {129, 1, 2, 128},
                           {0, 0, 528, 64},
                           {128, 41, 82, 64},  // as float, 82 * (1 / 41) is less than 2
                           {16'777'217, 1, 1, 16'777'280}}) {  // and the length is no float
    EXPECT_SAME(choose_partition_size(each.max_seq_len, each.num_blocks, each.num_blocks_at_once),
                each.size)
        << each.max_seq_len << " tokens, " << each.num_blocks << " thread blocks a partition, "
        << each.num_blocks_at_once << " at once";
  }
}

TEST(ChoosePartitionSize, AsFewTokensAsPossible) {
  SPEC("with kPartitionUnit tokens fewer, the thread blocks would not fit",
       "6.17 choose_partition_size", "as few as possible", "a multiple of kPartitionUnit");
  Random random(history_seed());
  for (int i = 0; i < 200; ++i) {
    const int max_seq_len = 1 + static_cast<int>(random.below(200'000));
    const int num_blocks = 1 + static_cast<int>(random.below(600));
    const int at_once = 1 + static_cast<int>(random.below(1000));
    const int size = choose_partition_size(max_seq_len, num_blocks, at_once);
    const std::string call = std::to_string(max_seq_len) + " tokens, " +
                             std::to_string(num_blocks) + " thread blocks a partition, " +
                             std::to_string(at_once) + " at once: " + std::to_string(size);
    EXPECT_HOLDS(size > 0 && size % kPartitionUnit == 0) << call;
    if (HasFailure()) return;
    const int num_partitions = ceil_div(max_seq_len, size);
    EXPECT_HOLDS(num_partitions == 1 || num_partitions * num_blocks <= at_once)
        << call << " are more thread blocks than the GPU holds";
    const int fewer = size - kPartitionUnit;
    EXPECT_HOLDS(fewer == 0 || ceil_div(max_seq_len, fewer) * num_blocks > at_once)
        << call << ", and with " << kPartitionUnit << " fewer all thread blocks fit, too";
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace kv::grader
