#pragma once
// Four ways to attend, called alike: a promise that all of them give is tested once.

#include <algorithm>
#include <array>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"
#include "kv/require.h"

namespace kv::grader {

// `numbers` twice: the rows of two sequences, or of two queries.
template <class Number>
std::vector<Number> twice(std::span<const Number> numbers) {
  std::vector<Number> rows(numbers.begin(), numbers.end());
  rows.insert(rows.end(), numbers.begin(), numbers.end());
  return rows;
}

// A call that writes two rows. `out` becomes the second one; of a refused call, a row that has been
// written in spite of that.
template <class Real, class Call>
void write_two_rows(std::span<Real> out, Call call) {
  std::vector<Real> rows = twice<Real>(out);
  const auto first = std::span(rows).first(out.size()), second = std::span(rows).last(out.size());
  try {
    call(rows);
  } catch (const ContractViolation&) {
    std::ranges::copy(std::ranges::equal(first, out) ? second : first, out.begin());
    throw;
  }
  std::ranges::copy(second, out.begin());
}

// A sequence is twice in a batch; the second row is the result. Without tokens: no sequences.
struct Batch {
  static constexpr const char* kName = "Batch";
  static constexpr const char* kStep = "5.5 paged_attention_batch";
  static constexpr const char* kCall = "paged_attention_batch(seq_len, block_table, poison)";

  template <class Real>
  static void attend(std::span<Real> out,
                     std::span<const Real> query,
                     const KVCache<Real>& cache,
                     std::span<const BlockId> block_table,
                     std::size_t seq_len,
                     Real scale) {
    if (seq_len == 0) return paged_attention_batch<Real>({}, {}, cache, {}, {}, scale);
    write_two_rows<Real>(out, [&](std::span<Real> rows) {
      paged_attention_batch<Real>(rows, twice(query), cache, twice(block_table),
                                  std::array{seq_len, seq_len}, scale);
    });
  }
};

// The query is the last one of a chunk of two, or the only one. Without tokens: an empty chunk.
struct Prefill {
  static constexpr const char* kName = "Prefill";
  static constexpr const char* kStep = "5.6 paged_prefill_attention";
  static constexpr const char* kCall = "paged_prefill_attention(seq_len, block_table, poison)";

  template <class Real>
  static void attend(std::span<Real> out,
                     std::span<const Real> query,
                     const KVCache<Real>& cache,
                     std::span<const BlockId> block_table,
                     std::size_t seq_len,
                     Real scale) {
    if (seq_len == 0) return paged_prefill_attention<Real>({}, {}, cache, {}, 0, 0, scale);
    if (seq_len == 1) {
      paged_prefill_attention<Real>(out, query, cache, block_table, 0, 1, scale);
      return;
    }
    write_two_rows<Real>(out, [&](std::span<Real> rows) {
      paged_prefill_attention<Real>(rows, twice(query), cache, block_table, seq_len - 2, 2, scale);
    });
  }
};

template <class Way>
class EntryPoint : public Attention<Way> {
 public:
  // Attends with two query heads, scale 1, and a query of ones.
  template <class Real>
  static std::vector<Real> attend_with_ones(const KVCache<Real>& cache,
                                            const std::vector<BlockId>& table,
                                            std::size_t seq_len,
                                            std::size_t num_more = 0) {
    log_step({Way::kCall, "attend to {0} tokens, table {1}, blocks of {2} slots"}, seq_len, table,
             cache.layout.block_size);
    const std::vector<Real> query(2 * cache.layout.head_dim + num_more, 1);
    std::vector<Real> out(query.size(), -7);
    try {
      Way::template attend<Real>(out, query, cache, table, seq_len, 1);
    } catch (const ContractViolation&) {
      EXPECT_SAME(std::ranges::count(out, -7), std::ssize(out)) << "nothing is written then";
      throw;
    }
    log_returned();
    return out;
  }
};

using EntryPoints = testing::Types<TwoPasses, Batch, Prefill, Streaming>;

}  // namespace kv::grader
