#pragma once
// The parts of a result on the device, and what has to be in them.

#include "06-cuda-kernel/grouped_kernels.h"
#include "06-cuda-kernel/tests/decode_batch.h"
#include "06-cuda-kernel/tests/simulated.h"

namespace kv::grader {

// The limits of rung 6, as sizes.
constexpr auto kTileSize = static_cast<std::size_t>(kTile);
constexpr auto kMaxTokens = static_cast<std::size_t>(kMaxTensorPartition);

// Room for the partial results of a batch.
class Partials {
 public:
  template <class Scalar>
  Partials(const PagedAttentionParams<Scalar>& params, int num_partitions)
      : num_partitions_(num_partitions),
        exp_sums_(size_of(params)),
        max_logits_(size_of(params)),
        tmp_out_(size_of(params) * static_cast<std::size_t>(params.head_size)) {
    const auto place = [num_heads = static_cast<std::size_t>(params.num_heads),
                        num = static_cast<std::size_t>(num_partitions)](std::size_t index) {
      return draw_head(index / num, num_heads) + ", partition " + draw(index % num);
    };
    name_array(exp_sums_, "exp_sums", place);
    name_array(max_logits_, "max_logits", place);
    const auto head_size = static_cast<std::size_t>(params.head_size);
    name_array(tmp_out_, "tmp_out", [=](std::size_t index) {
      return place(index / head_size) + ", dimension " + draw(index % head_size);
    });
  }

  PartialResults results() const {
    return {exp_sums_.data(), max_logits_.data(), tmp_out_.data(), num_partitions_};
  }
  // Before all of them are read though a kernel writes only some: compute-sanitizer reports a copy
  // of memory that nobody has written.
  void fill_with_nan() {
    for (DeviceArray<float>* const array : {&exp_sums_, &max_logits_, &tmp_out_}) {
      const std::vector<float> nan = unwritten(array->size());
      array->write(0, nan.data(), nan.size());
    }
  }
  std::vector<float> exp_sums() const { return exp_sums_.read(); }
  std::vector<float> max_logits() const { return max_logits_.read(); }
  std::vector<float> tmp_out() const { return tmp_out_.read(); }

 private:
  template <class Scalar>
  std::size_t size_of(const PagedAttentionParams<Scalar>& params) const {
    return static_cast<std::size_t>(params.num_seqs * params.num_heads * num_partitions_);
  }

  int num_partitions_;
  DeviceArray<float> exp_sums_, max_logits_, tmp_out_;
};

// One part of the tokens of a sequence.
struct Part {
  std::size_t seq;
  int first, end;

  std::string text() const {
    return "tokens " + std::to_string(first) + " to " + std::to_string(end - 1) + " of sequence " +
           std::to_string(seq);
  }
};

// query . key, without the scale.
template <class Scalar>
double product_of(const DecodeBatch<Scalar>& batch,
                  std::size_t seq,
                  std::size_t head,
                  std::size_t token) {
  const auto group = static_cast<std::size_t>(batch.shape().num_heads / batch.shape().num_kv_heads);
  double product = 0;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(batch.shape().head_size); ++dim) {
    product += batch.query(seq, head, dim) * batch.key(seq, token, head / group, dim);
  }
  return product;
}

template <class Scalar>
double largest_score(const DecodeBatch<Scalar>& batch, const Part& part, std::size_t head) {
  double largest = -std::numeric_limits<double>::infinity();
  for (auto token = static_cast<std::size_t>(part.first);
       token < static_cast<std::size_t>(part.end); ++token) {
    largest = std::max(largest, double{batch.scale()} * product_of(batch, part.seq, head, token));
  }
  return largest;
}

inline bool is_near(double yours, double expected, double tolerance, const std::string& what) {
  if (near(yours, expected, tolerance)) return true;
  ADD_FAILURE() << what << ": expected " << draw(expected) << ", yours is " << draw(yours);
  return false;
}

constexpr std::size_t kStateDims = 8;  // dimensions of the states of 6.9 and 6.12

// A row for each token: its value, and one more in each dimension.
inline std::vector<float> values_in_dims(const std::vector<float>& values) {
  std::vector<float> rows;
  for (const float value : values) {
    for (std::size_t dim = 0; dim < kStateDims; ++dim)
      rows.push_back(value + static_cast<float>(dim));
  }
  return rows;
}

// The state of 6.9 and 6.12 over all tokens, computed at once in double. A score of -INFINITY is no
// token.
inline void expect_token_state(const std::vector<float>& yours,
                               const std::vector<float>& scores,
                               const std::vector<float>& values,
                               double tolerance) {
  const float largest = *std::ranges::max_element(scores);
  double sum = 0, out = 0;
  for (std::size_t i = 0; i < scores.size() && !std::isinf(largest); ++i) {
    sum += std::exp(double{scores[i]} - double{largest});
    out += std::exp(double{scores[i]} - double{largest}) * double{values[i]};
  }
  EXPECT_SAME(yours[0], largest) << "the largest score";
  if (!is_near(double{yours[1]}, sum, tolerance, "the sum of exp(score - largest)")) return;
  for (std::size_t dim = 0; dim < kStateDims; ++dim) {
    const std::string of_dim = "the sum of weight times value in dimension " + std::to_string(dim);
    const double expected = out + static_cast<double>(dim) * sum;
    if (!is_near(double{yours[2 + dim]}, expected, tolerance, of_dim)) return;
  }
}

// at(head): where the state of this query head is in `partials`.
template <class Scalar, class At>
void expect_state(const DecodeBatch<Scalar>& batch, const Partials& partials, Part part, At at) {
  const auto head_size = static_cast<std::size_t>(batch.shape().head_size);
  const std::vector<float> sums = partials.exp_sums(), maxima = partials.max_logits();
  const std::vector<float> outs = partials.tmp_out();
  const auto expected = batch.dense(part.seq, static_cast<std::size_t>(part.first),
                                    static_cast<std::size_t>(part.end));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::size_t head = i / head_size;
    const std::string of_head = part.text() + ", query head " + std::to_string(head);
    if (!is_near(double{maxima[at(head)]}, largest_score(batch, part, head), batch.tolerance(),
                 "largest score of " + of_head)) {
      return;
    }
    const double yours =
        double{outs[at(head) * head_size + i % head_size]} / double{sums[at(head)]};
    const std::string dim = ", dimension " + std::to_string(i % head_size);
    if (!is_near(yours, expected[i], batch.tolerance(), "out / exp_sum of " + of_head + dim))
      return;
  }
}

// Partition `partition` of each sequence that has tokens from `first` on.
template <class Scalar>
void expect_partition(
    const DecodeBatch<Scalar>& batch, const Partials& partials, int partition, int first, int end) {
  const auto heads = static_cast<std::size_t>(batch.shape().num_heads);
  const auto num_partitions = static_cast<std::size_t>(partials.results().num_partitions);
  for (std::size_t seq = 0; seq < batch.num_seqs(); ++seq) {
    const int seq_end = std::min(end, batch.shape().seq_lens[seq]);
    if (first >= seq_end) continue;
    expect_state(batch, partials, {seq, first, seq_end}, [&](std::size_t head) {
      return (seq * heads + head) * num_partitions + static_cast<std::size_t>(partition);
    });
  }
}

}  // namespace kv::grader
