#pragma once
// A batch of sequences on the device, in scattered blocks. Only the slots of tokens are written, so
// the simulator finds every read of another one.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "06-cuda-kernel/given/device_array.h"
#include "06-cuda-kernel/paged_attention_params.h"
#include "06-cuda-kernel/tests/batch_shape.h"
#include "06-cuda-kernel/tests/named_memory.h"
#include "06-cuda-kernel/tests/random_scalars.h"
#include "grader/harness/draw.h"
#include "grader/harness/expectations.h"
#include "grader/harness/near.h"
#include "grader/harness/random.h"
#include "reference/attention_oracle.h"

namespace kv::grader {

// A place before the memory, as if there were a long cache in front of it.
template <class Scalar>
Scalar* before(const DeviceArray<Scalar>& memory, std::size_t num_scalars) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  return reinterpret_cast<Scalar*>(address - num_scalars * sizeof(Scalar));
}

template <class Scalar>
class DecodeBatch {
 public:
  explicit DecodeBatch(BatchShape shape, float scale = 0, std::uint64_t seed = 7)
      : shape_(std::move(shape)),
        scale_(scale != 0 ? scale : 1 / std::sqrt(static_cast<float>(shape_.head_size))),
        random_(seed),
        query_(random_scalars<Scalar>(random_, num_seqs() * row_of_out())),
        tables_(num_seqs() * max_num_blocks(), -1),
        device_query_(query_),
        device_keys_(num_blocks() * block_elements()),
        device_values_(num_blocks() * block_elements()),
        device_seq_lens_(shape_.seq_lens),
        out_(query_.size()) {
    place();
    log_start("",
              {"batch(num_heads, num_kv_heads, head_size, block_size, seq_lens)",
               "num_heads {0}, num_kv_heads {1}, head_size {2}, block_size {3}, seq_lens {4}"},
              shape_.num_heads, shape_.num_kv_heads, shape_.head_size, shape_.block_size,
              shape_.seq_lens);
  }

  // The sequences in opposite order, in the same memory: as if an engine had moved its requests.
  void reverse_sequences() {
    std::ranges::reverse(sequences_);
    std::ranges::reverse(shape_.seq_lens);
    std::vector<int> reversed;
    for (std::size_t seq = num_seqs(); seq > 0; --seq) {
      const auto row = tables_.begin() + static_cast<std::ptrdiff_t>((seq - 1) * max_num_blocks());
      reversed.insert(reversed.end(), row, row + static_cast<std::ptrdiff_t>(max_num_blocks()));
    }
    tables_ = reversed;
    device_seq_lens_.write(0, shape_.seq_lens.data(), num_seqs());
  }

  const BatchShape& shape() const { return shape_; }
  const std::vector<int>& tables() const { return tables_; }
  std::size_t num_seqs() const { return shape_.seq_lens.size(); }
  int max_seq_len() const { return *std::ranges::max_element(shape_.seq_lens); }
  float scale() const { return scale_; }

  PagedAttentionParams<Scalar> params() {
    device_tables_.write(0, tables_.data(), tables_.size());
    const std::vector<Scalar> unwritten(out_.size(), Scalar(std::nanf("")));
    out_.write(0, unwritten.data(), unwritten.size());
    name_arrays();
    return {.out = out_.data(),
            .query = device_query_.data(),
            .key_cache = before(device_keys_, first_block() * block_elements()),
            .value_cache = before(device_values_, first_block() * block_elements()),
            .block_tables = device_tables_.data(),
            .seq_lens = device_seq_lens_.data(),
            .num_seqs = static_cast<int>(num_seqs()),
            .num_heads = shape_.num_heads,
            .num_kv_heads = shape_.num_kv_heads,
            .head_size = shape_.head_size,
            .block_size = shape_.block_size,
            .max_num_blocks_per_seq = static_cast<int>(max_num_blocks()),
            .max_seq_len = max_seq_len(),
            .scale = scale_};
  }

  std::vector<double> out() const { return widened(out_.read()); }

  // Dense attention over the tokens from `first` on, before `end`.
  std::vector<double> dense(std::size_t seq, std::size_t first, std::size_t end) const {
    oracle::DenseSequence part = sequences_[seq];
    const std::size_t row = slot_elements();
    const auto cut = [&](std::vector<double>& rows) {
      rows = {rows.begin() + static_cast<std::ptrdiff_t>(first * row),
              rows.begin() + static_cast<std::ptrdiff_t>(end * row)};
    };
    cut(part.keys);
    cut(part.values);
    const auto begin = query_.begin() + static_cast<std::ptrdiff_t>(seq * row_of_out());
    const std::vector<Scalar> query(begin, begin + static_cast<std::ptrdiff_t>(row_of_out()));
    return oracle::dense_attention(part, widened(query), end - first, double{scale_});
  }

  // Each number of each sequence, against dense attention in double. weight_rounding: the relative
  // error of a weight. Values are in [-1, 1], or all positive, so the mean of values that it
  // changes by this factor is changed by no more.
  void expect_dense(const std::vector<double>& out, double weight_rounding = 0) const {
    for (std::size_t seq = 0; seq < num_seqs(); ++seq) {
      const auto seq_len = static_cast<std::size_t>(shape_.seq_lens[seq]);
      if (!is_near(out, dense(seq, 0, seq_len), seq, weight_rounding)) return;
    }
  }

  double key(std::size_t seq, std::size_t token, std::size_t kv_head, std::size_t dim) const {
    return sequences_[seq].keys[(token * kv_heads() + kv_head) * head_size() + dim];
  }
  double value(std::size_t seq, std::size_t token, std::size_t kv_head, std::size_t dim) const {
    return sequences_[seq].values[(token * kv_heads() + kv_head) * head_size() + dim];
  }
  double query(std::size_t seq, std::size_t head, std::size_t dim) const {
    return static_cast<double>(
        static_cast<float>(query_[seq * row_of_out() + head * head_size() + dim]));
  }
  // There are as many roundings as terms: seq_len weights, and head_size products in each score.
  double tolerance() const {
    const auto num_terms = static_cast<std::size_t>(max_seq_len() + shape_.head_size);
    return double{sum_tolerance<float>(num_terms)};
  }
  // The result is rounded once more, to Scalar. Relative to a result above 1, as near() takes it.
  double tolerance_of(double result) const {
    if (std::isinf(result)) return 0;
    const double unit = result == 0 ? 0 : std::ldexp(1, std::ilogb(result));
    return tolerance() + kRounding<Scalar> * unit / std::fmax(1, std::abs(result));
  }

 private:
  std::size_t head_size() const { return static_cast<std::size_t>(shape_.head_size); }
  std::size_t kv_heads() const { return static_cast<std::size_t>(shape_.num_kv_heads); }
  std::size_t block_size() const { return static_cast<std::size_t>(shape_.block_size); }
  std::size_t row_of_out() const {
    return static_cast<std::size_t>(shape_.num_heads) * head_size();
  }
  std::size_t slot_elements() const { return kv_heads() * head_size(); }
  std::size_t block_elements() const { return block_size() * slot_elements(); }
  std::size_t first_block() const { return static_cast<std::size_t>(shape_.first_block); }

  void name_arrays() const {
    const NamedSlots slots{first_block() * block_size(),
                           kv_heads(),
                           head_size(),
                           block_size(),
                           max_num_blocks(),
                           tables_,
                           shape_.seq_lens};
    for (const auto& [cache, name] :
         {std::pair(&device_keys_, "key_cache"), {&device_values_, "value_cache"}})
      name_array(*cache, name, [slots](std::size_t index) { return slots.place(index); });
    const std::size_t row = row_of_out(), num_dims = head_size(), num_entries = max_num_blocks();
    for (const auto& [array, name] : {std::pair(&device_query_, "query"), {&out_, "out"}})
      name_array(*array, name, [row, num_dims](std::size_t index) {
        return draw_head(index / num_dims, row / num_dims) + ", dimension " +
               draw(index % num_dims);
      });
    name_array(device_tables_, "block_tables", [num_entries](std::size_t index) {
      return "sequence " + draw(index / num_entries) + ", entry " + draw(index % num_entries);
    });
    name_array(device_seq_lens_, "seq_lens",
               [](std::size_t index) { return "sequence " + draw(index); });
  }

  // What the longest sequence needs, one more if its last block is full, and the spare entries.
  std::size_t max_num_blocks() const {
    const auto num_tokens = static_cast<std::size_t>(max_seq_len());
    if (shape_.is_table_full) return (num_tokens + block_size() - 1) / block_size();
    return num_tokens / block_size() + 1 + static_cast<std::size_t>(shape_.num_spare_entries);
  }
  std::size_t num_blocks() const { return num_seqs() * max_num_blocks() + 1; }

  // Blocks in a random order, the first one unused. Only slots of tokens are written.
  void place() {
    std::vector<int> ids(num_blocks() - 1);
    std::iota(ids.begin(), ids.end(), shape_.first_block + 1);
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random_.below(i)]);
    auto next_id = ids.begin();
    for (std::size_t seq = 0; seq < num_seqs(); ++seq) {
      sequences_.push_back({kv_heads(), head_size()});
      const auto seq_len = static_cast<std::size_t>(shape_.seq_lens[seq]);
      for (std::size_t token = 0; token < seq_len; ++token) {
        const std::size_t entry = seq * max_num_blocks() + token / block_size();
        if (is_shared(seq, token)) {
          tables_[entry] = tables_[token / block_size()];
          share_token(token);
          continue;
        }
        if (token % block_size() == 0) tables_[entry] = *next_id++;
        add_token(seq, token);
      }
    }
  }

  // Is this token in a block of the first sequence, which is full in both?
  bool is_shared(std::size_t seq, std::size_t token) const {
    const std::size_t block = token / block_size();
    const auto end = static_cast<int>((block + 1) * block_size());
    return seq > 0 && block < static_cast<std::size_t>(shape_.num_shared_blocks) &&
           end <= shape_.seq_lens[0] && end <= shape_.seq_lens[seq];
  }

  void share_token(std::size_t token) {
    const auto copy = [&](const std::vector<double>& from, std::vector<double>& to) {
      const auto row = from.begin() + static_cast<std::ptrdiff_t>(token * slot_elements());
      to.insert(to.end(), row, row + static_cast<std::ptrdiff_t>(slot_elements()));
    };
    copy(sequences_.front().keys, sequences_.back().keys);
    copy(sequences_.front().values, sequences_.back().values);
  }

  // Along the query, as long as the score needs.
  std::vector<Scalar> first_key(std::size_t seq) const {
    const std::size_t group = static_cast<std::size_t>(shape_.num_heads) / kv_heads();
    std::vector<Scalar> key(slot_elements());
    for (std::size_t i = 0; i < key.size(); ++i) {
      const std::size_t head = i / head_size() * group;
      double square = 0;
      for (std::size_t dim = 0; dim < head_size(); ++dim)
        square += std::pow(query(seq, head, dim), 2);
      const double factor = double{shape_.first_score} / (double{scale_} * square);
      key[i] = Scalar(static_cast<float>(factor * query(seq, head, i % head_size())));
    }
    return key;
  }

  // Large ones are positive: the error of their mean is relative to what they add up to.
  std::vector<Scalar> values_of(std::size_t token) {
    std::vector<Scalar> values = random_scalars<Scalar>(random_, slot_elements());
    if (shape_.has_infinity && token == 0)
      values.front() = Scalar(std::numeric_limits<float>::infinity());
    if (shape_.value_size == 1) return values;
    for (Scalar& value : values) {
      const float size = token == 0 ? 0 : shape_.value_size;
      value = Scalar(size * std::abs(static_cast<float>(value)));
    }
    return values;
  }

  void add_token(std::size_t seq, std::size_t token) {
    const int block = tables_[seq * max_num_blocks() + token / block_size()] - shape_.first_block;
    const std::size_t slot = static_cast<std::size_t>(block) * block_size() + token % block_size();
    const bool is_first = token == 0 && shape_.first_score != 0;
    const auto key = is_first ? first_key(seq) : random_scalars<Scalar>(random_, slot_elements());
    const auto value = values_of(token);
    device_keys_.write(slot * slot_elements(), key.data(), key.size());
    device_values_.write(slot * slot_elements(), value.data(), value.size());
    std::ranges::copy(widened(key), std::back_inserter(sequences_[seq].keys));
    std::ranges::copy(widened(value), std::back_inserter(sequences_[seq].values));
  }

  bool is_near(const std::vector<double>& out,
               const std::vector<double>& expected,
               std::size_t seq,
               double weight_rounding) const {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double yours = out[seq * row_of_out() + i];
      const double tolerance = tolerance_of(expected[i]) + weight_rounding;
      if (near(yours, expected[i], tolerance)) continue;
      ADD_FAILURE() << "sequence " << seq << ", query head " << i / head_size() << ", dimension "
                    << i % head_size() << ": expected " << draw(expected[i]) << ", yours is "
                    << draw(yours) << (std::isnan(yours) ? ", or was not written" : "")
                    << " (tolerance " << draw(tolerance) << ")";
      return false;
    }
    return true;
  }

  BatchShape shape_;
  float scale_;
  Random random_;
  std::vector<Scalar> query_;
  std::vector<int> tables_;
  std::vector<oracle::DenseSequence> sequences_ = {};
  DeviceArray<Scalar> device_query_, device_keys_, device_values_;
  DeviceArray<int> device_tables_{tables_.size()};
  DeviceArray<int> device_seq_lens_;
  DeviceArray<Scalar> out_;
};

}  // namespace kv::grader
