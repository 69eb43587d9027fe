#pragma once
// A random sequence, and a cache that holds it block by block among poison.

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "05-paged-attention/paged_attention.h"
#include "05-paged-attention/tests/poison.h"
#include "grader/harness/near.h"
#include "grader/harness/note_options.h"
#include "grader/harness/random.h"
#include "reference/attention_oracle.h"

namespace kv::grader {

// In [-1, 1), and the same in float and in double.
inline double random_number(Random& random) {
  constexpr std::size_t kHalf = std::size_t{1} << 23;
  return static_cast<double>(random.below(2 * kHalf)) / static_cast<double>(kHalf) - 1;
}

inline std::vector<double> random_numbers(Random& random, std::size_t size) {
  std::vector<double> numbers(size);
  for (double& number : numbers) number = random_number(random);
  return numbers;
}

template <class Real, class From>
std::vector<Real> as(const std::vector<From>& numbers) {
  return std::vector<Real>(numbers.begin(), numbers.end());
}

// A cache that owns its memory, all of it poison.
template <class Real>
class PoisonedCache {
 public:
  PoisonedCache(PagedLayout layout, Real poison)
      : layout_(layout), keys_(layout.size(), poison), values_(layout.size(), poison) {
    if (!std::isnan(poison)) return;
    poison_slots<Real>(keys_, layout.token_size());
    poison_slots<Real>(values_, layout.token_size());
  }

  KVCache<Real> view() { return {layout_, keys_, values_}; }

  // Puts token `position` of a sequence where its table says, without asking the code under test.
  void put(const oracle::DenseSequence& sequence,
           std::span<const BlockId> table,
           std::size_t position) {
    const std::size_t token_size = layout_.num_kv_heads * layout_.head_dim;
    const auto block = static_cast<std::size_t>(table[position / layout_.block_size]);
    const std::size_t slot = block * layout_.block_size + position % layout_.block_size;
    for (std::size_t i = 0; i < token_size; ++i) {
      keys_[slot * token_size + i] = static_cast<Real>(sequence.keys[position * token_size + i]);
      values_[slot * token_size + i] =
          static_cast<Real>(sequence.values[position * token_size + i]);
    }
  }

 private:
  PagedLayout layout_;
  std::vector<Real> keys_;
  std::vector<Real> values_;
};

struct Shape {
  std::size_t num_heads;
  std::size_t num_kv_heads;
  std::size_t head_dim;
  std::size_t block_size;
  std::size_t seq_len;

  std::size_t num_blocks() const { return (seq_len + block_size - 1) / block_size; }
};

// Ids 1 to num_blocks - 1, shuffled: a placement. Block 0 is the null block, which no table has.
inline std::vector<BlockId> shuffled_ids(Random& random, std::size_t num_blocks) {
  std::vector<BlockId> ids(num_blocks - 1);
  std::iota(ids.begin(), ids.end(), 1);
  for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.below(i)]);
  return ids;
}

class PagedFixture {
 public:
  explicit PagedFixture(Shape shape, std::uint64_t seed = 7)
      : shape_(shape),
        random_(seed),
        sequence_{shape.num_kv_heads, shape.head_dim},
        query_(random_numbers(random_, shape.num_heads * shape.head_dim)) {
    const std::size_t size = shape.seq_len * shape.num_kv_heads * shape.head_dim;
    sequence_.keys = random_numbers(random_, size);
    sequence_.values = random_numbers(random_, size);
  }

  const Shape& shape() const { return shape_; }
  oracle::DenseSequence& sequence() { return sequence_; }
  std::vector<double>& query() { return query_; }
  double scale() const { return factor_ / std::sqrt(static_cast<double>(shape_.head_dim)); }
  void multiply_scale(double factor) { factor_ *= factor; }
  // For a log; empty if it is the usual one.
  std::string draw_scale() const { return factor_ == 1 ? "" : ", scale " + draw(scale()); }

  std::vector<double> expected() const {
    return oracle::dense_attention(sequence_, query_, shape_.seq_len, scale());
  }

  // In the first blocks of a placement that is drawn now; three more blocks hold poison only.
  template <class Real>
  PoisonedCache<Real> place(std::vector<BlockId>& table, Real poison) {
    const std::size_t num_blocks = shape_.num_blocks() + 4;
    note_options({{"num_blocks", num_blocks},
                  {"block_size", shape_.block_size},
                  {"num_kv_heads", shape_.num_kv_heads},
                  {"head_dim", shape_.head_dim}});
    table = shuffled_ids(random_, num_blocks);
    PoisonedCache<Real> cache({num_blocks, shape_.block_size, shape_.num_kv_heads, shape_.head_dim},
                              poison);
    for (std::size_t i = 0; i < shape_.seq_len; ++i) cache.put(sequence_, table, i);
    return cache;
  }

 private:
  Shape shape_;
  double factor_ = 1;
  Random random_;
  oracle::DenseSequence sequence_;
  std::vector<double> query_;
};

}  // namespace kv::grader
