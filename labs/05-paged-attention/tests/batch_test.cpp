// Many sequences in one call.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "05-paged-attention/tests/attention_fixture.h"
#include "05-paged-attention/tests/far_memory.h"
#include "05-paged-attention/tests/page_trap.h"
#include "grader/harness/endless.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

// Sequences of given lengths in one poisoned cache, tables padded with ids of no block.
template <class Real>
class RaggedBatch {
 public:
  explicit RaggedBatch(std::vector<std::size_t> seq_lens, std::uint64_t seed = 7)
      : seq_lens_(std::move(seq_lens)), random_(seed) {
    log_start("",
              {"batch(seq_lens, block_size)",
               "blocks of {1} slots, seq_lens {0}, rows padded with ids of no block"},
              seq_lens_, kBlockSize);
    const std::vector<BlockId> ids = shuffled_ids(random_, kNumBlocks);
    auto next = ids.begin();
    for (const std::size_t seq_len : seq_lens_) {
      const auto num_blocks = static_cast<std::ptrdiff_t>((seq_len + kBlockSize - 1) / kBlockSize);
      const std::vector<BlockId> table(next, next + num_blocks);
      next += num_blocks;
      add(seq_len, table);
    }
  }

  void expect_dense() {
    std::vector<Real> out(query_.size(), unwritten<Real>());
    attend(out);
    for (std::size_t seq = 0; seq < seq_lens_.size(); ++seq) {
      const auto row = [&](const auto& numbers) {
        const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(seq * kRow);
        return std::vector(first, first + kRow);
      };
      const auto expected =
          oracle::dense_attention(sequences_[seq], row(query_), seq_lens_[seq], kScale);
      log_step({"compare(sequence)", "sequence {0}"}, seq);
      expect_near(row(out), expected, tolerance_of<Real>(kHeadDim + seq_lens_[seq]), kHeadDim);
    }
  }

  void attend(std::vector<Real>& out) {
    log_step({"paged_attention_batch()", "paged_attention_batch"});
    paged_attention_batch<Real>(out, as<Real>(query_), cache_.view(), tables_, seq_lens_, kScale);
    log_returned();
  }

  // One more sequence, with the tokens and the table of the first, and a query of its own.
  void share_first() {
    seq_lens_.push_back(seq_lens_[0]);
    sequences_.push_back(sequences_[0]);
    for (std::size_t i = 0; i < kMaxNumBlocks; ++i) tables_.push_back(tables_[i]);
    std::ranges::copy(random_numbers(random_, kRow), std::back_inserter(query_));
  }

  std::vector<BlockId>& tables() { return tables_; }
  std::vector<double>& query() { return query_; }

 private:
  static constexpr std::size_t kNumBlocks = 64, kBlockSize = 4, kHeadDim = 3;
  static constexpr std::size_t kNumHeads = 4, kNumKvHeads = 2, kRow = kNumHeads * kHeadDim;
  static constexpr std::size_t kMaxNumBlocks = 12;
  static constexpr Real kScale = Real(0.3);  // another number in float

  void add(std::size_t seq_len, const std::vector<BlockId>& table) {
    oracle::DenseSequence sequence{kNumKvHeads, kHeadDim};
    sequence.keys = random_numbers(random_, seq_len * kNumKvHeads * kHeadDim);
    sequence.values = random_numbers(random_, seq_len * kNumKvHeads * kHeadDim);
    for (std::size_t i = 0; i < seq_len; ++i) cache_.put(sequence, table, i);
    sequences_.push_back(sequence);
    std::ranges::copy(table, std::back_inserter(tables_));
    const BlockId none = sequences_.size() % 2 == 0 ? -1 : std::numeric_limits<BlockId>::max();
    tables_.resize(sequences_.size() * kMaxNumBlocks, none);
    std::ranges::copy(random_numbers(random_, kRow), std::back_inserter(query_));
  }

  std::vector<std::size_t> seq_lens_;
  Random random_;
  PoisonedCache<Real> cache_{{kNumBlocks, kBlockSize, kNumKvHeads, kHeadDim}, kPoisons<Real>[0]};
  std::vector<oracle::DenseSequence> sequences_;
  std::vector<BlockId> tables_;  // [num_seqs, kMaxNumBlocks]
  std::vector<double> query_;    // [num_seqs, kNumHeads, kHeadDim]
};

TEST(AttentionBatch, EachSequenceHasItsOwnTable) {
  SPEC("row s of the tables, query and out belongs to sequence s", "5.5 paged_attention_batch",
       "many sequences in one call", "Row s of block_tables");
  RaggedBatch<double>({9, 4, 17}).expect_dense();
  RaggedBatch<float>({9, 4, 17}).expect_dense();
  std::vector<std::size_t> many;
  for (std::size_t seq = 0; seq < 40; ++seq) many.push_back(seq * 5 % 7);
  RaggedBatch<double>(many).expect_dense();
  RaggedBatch<float>(many).expect_dense();
}

// The first sequence has infinite values, and the scores of the two others are far apart.
template <class Real>
void expect_sequences_far_apart() {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  std::vector<Real> keys(6, 1), values = {1, 2, 3, 6, kInfinity, 0}, out(3, -7);
  const std::vector<BlockId> tables = {2, 1, 0, 1, 0, 1};
  log_step(
      "paged_attention_batch, scores 0, -1000 and 1000, the first sequence of infinite values");
  paged_attention_batch<Real>(out, std::vector<Real>{0, -1000, 1000}, {{3, 2, 1, 1}, keys, values},
                              tables, std::vector<std::size_t>{4, 4, 4}, 1);
  log_returned();
  expect_near(out, {kInfinity, 3, 3}, tolerance_of<Real>(16), 1);
}

TEST(AttentionBatch, SequencesMayShareATable) {
  SPEC("sequences of one table and one length have queries of their own",
       "5.5 paged_attention_batch");
  RaggedBatch<double> batch({9});
  RaggedBatch<float> floats({9});
  batch.share_first();
  floats.share_first();
  batch.expect_dense();
  floats.expect_dense();
  expect_sequences_far_apart<double>();
  expect_sequences_far_apart<float>();
}

TEST(AttentionBatch, EmptySequencesGiveZeros) {
  SPEC("a sequence of no tokens gives zeros, and the others do not change",
       "5.5 paged_attention_batch");
  RaggedBatch<double>({0, 5, 0}).expect_dense();
  RaggedBatch<float>({0, 5, 0}).expect_dense();
  std::vector<double> keys(4), values(4), out(2, -7);
  log_step("paged_attention_batch of two sequences without tokens, in tables without blocks");
  paged_attention_batch<double>(out, std::vector<double>(2), {{2, 2, 1, 1}, keys, values}, {},
                                std::vector<std::size_t>{0, 0}, 1);
  log_returned();
  expect_near(out, {0, 0}, 0, 1);
}

// Rows of out and of query, or of the tables, that belong to no sequence.
template <class Real>
void expect_refuses_rows_of_none() {
  std::vector<Real> keys(4, 1), values(4, 1);
  const auto attend = [&](std::size_t num_numbers, std::size_t num_entries) {
    std::vector<Real> out(num_numbers, -7);
    const std::vector<Real> query(num_numbers, 1);
    const std::vector<BlockId> tables(num_entries, 1);
    paged_attention_batch<Real>(out, query, {{2, 2, 1, 1}, keys, values}, tables, {}, 1);
  };
  attend(0, 0);
  EXPECT_REFUSED(attend(1, 0)) << "a row of out and query, and no sequence";
  EXPECT_REFUSED(attend(0, 1)) << "a row of block_tables, and no sequence";
}

TEST(AttentionBatch, NoSequencesAtAll) {
  SPEC("a batch of no sequences is no work, and has no rows", "5.5 paged_attention_batch");
  RaggedBatch<double>({}).expect_dense();
  RaggedBatch<float>({}).expect_dense();
  expect_refuses_rows_of_none<double>();
  expect_refuses_rows_of_none<float>();
}

// Keys and values are 0.
template <class Real>
void expect_reads_needed_entries() {
  LockedTables tables;
  std::vector<Real> zeros(12), out(2);
  log_step("paged_attention_batch of 6 tokens each, the other pages of their tables are locked");
  tables.expect_reads_needed([&](std::span<const BlockId> block_tables) {
    paged_attention_batch<Real>(out, std::vector<Real>(2, 1), {{6, 2, 1, 1}, zeros, zeros},
                                block_tables, std::vector<std::size_t>{6, 6}, 1);
  });
  log_returned();
}

TEST(AttentionBatch, RaggedLengthsInRandomBatches) {
  SPEC("any mix of lengths in one call", "5.5 paged_attention_batch", "are not read");
  expect_reads_needed_entries<double>();
  expect_reads_needed_entries<float>();
  for (std::uint64_t i = 0; i < 40 && !testing::Test::HasFailure(); ++i) {
    clear_log();
    Random random(history_seed() + i);
    std::vector<std::size_t> seq_lens(1 + random.below(5));
    for (std::size_t& seq_len : seq_lens) seq_len = random.below(48);
    RaggedBatch<double>(seq_lens, history_seed() + i).expect_dense();
    RaggedBatch<float>(seq_lens, history_seed() + i).expect_dense();
  }
}

// Sequence s has two tokens in block s % 3. Their weights are 1/4 and 3/4, if the scale is 1/2.
template <class Real>
void expect_many_sequences() {
  constexpr std::size_t kNumSeqs = 70'000;
  const Real nine = std::log(Real{9});
  std::vector<Real> keys = {0, nine, 0, nine, 0, nine}, values = {0, 4, 1, 5, 2, 6};
  std::vector<Real> out(kNumSeqs, -7);
  std::vector<double> expected;
  std::vector<BlockId> tables;
  for (std::size_t seq = 0; seq < kNumSeqs; ++seq) {
    tables.push_back(static_cast<BlockId>(seq % 3));
    expected.push_back(static_cast<double>(seq % 3 + 3));
  }
  log_step({"paged_attention_batch(num_seqs)", "paged_attention_batch of {0} sequences"}, kNumSeqs);
  paged_attention_batch<Real>(out, std::vector<Real>(kNumSeqs, 1), {{3, 2, 1, 1}, keys, values},
                              tables, std::vector<std::size_t>(kNumSeqs, 2), Real(0.5));
  log_returned();
  expect_near(out, expected, tolerance_of<Real>(16), 1);
}

// Rows so long that the second one begins beyond 2^32. The first sequence is empty; of the second
// row, its two entries alone are in memory.
template <class Real>
void expect_long_rows() {
  constexpr std::size_t kRow = (std::size_t{1} << 32) + 2;
  FarMemory<BlockId> tables(2 * kRow, 2, kRow);
  tables.real() = {1, 0};
  std::vector<Real> keys(4, 1), values = {1, 2, 3, 6}, out(2, -7);
  log_step({"paged_attention_batch(max_num_blocks)", "paged_attention_batch, rows of {0} entries"},
           kRow);
  paged_attention_batch<Real>(out, std::vector<Real>(2, 1), {{2, 2, 1, 1}, keys, values},
                              tables.view(), std::vector<std::size_t>{0, 4}, 1);
  log_returned();
  expect_near(out, {0, 3}, tolerance_of<Real>(16), 1);
}

TEST(AttentionBatch, TakesMoreThan16Bits) {
  SPEC("70,000 sequences in one call, or rows of more than 2^32 entries",
       "5.5 paged_attention_batch");
  allow_steps(70'000'000);
  expect_many_sequences<double>();
  expect_many_sequences<float>();
  expect_long_rows<double>();
  expect_long_rows<float>();
}

TEST(AttentionBatch, RefusesTheWholeCall) {
  SPEC("one bad row refuses the whole call, and out is as it was", "5.5 paged_attention_batch");
  RaggedBatch<double> batch({3, 9, 5});
  batch.expect_dense();
  std::vector<double> out(batch.query().size(), -7);
  batch.tables()[12 + 2] = -1;  // the last block that sequence 1 needs
  EXPECT_REFUSED(batch.attend(out)) << "the last block of sequence 1 is -1";
  EXPECT_SAME(std::ranges::count(out, -7), std::ssize(out)) << "nothing is written then";
  RaggedBatch<double> right({3, 9, 5});
  right.tables().push_back(0);
  EXPECT_REFUSED(right.attend(out)) << "tables of unequal length";
  right.tables().pop_back();
  out.push_back(-7);
  EXPECT_REFUSED(right.attend(out)) << "out is larger than query";
  RaggedBatch<double> with_an_empty_one({0, 9, 5});
  with_an_empty_one.tables()[12 + 1] = -1;
  out.pop_back();
  EXPECT_REFUSED(with_an_empty_one.attend(out)) << "the second block of sequence 1 is -1";
  EXPECT_SAME(std::ranges::count(out, -7), std::ssize(out)) << "nothing is written then";
}

}  // namespace
}  // namespace kv::grader
