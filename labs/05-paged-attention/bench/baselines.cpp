#include "05-paged-attention/bench/baselines.h"

#include <Eigen/Core>
#include <atomic>

#include "05-paged-attention/given/parallel_for.h"
#include "05-paged-attention/given/tile_rows.h"

namespace kv::bench {

using Vector = Eigen::Map<const Eigen::VectorXf>;
using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Index = Eigen::Index;
constexpr std::size_t kGroupSize = kNumHeads / kNumKvHeads;

float read_all(std::span<const float> numbers, std::size_t num_threads) {
  std::atomic<float> total = 0;
  parallel_for(num_threads, num_threads, [&](std::size_t part) {
    LanesPerHead sums = {Lanes::Zero(), Lanes::Zero(), Lanes::Zero(), Lanes::Zero()};
    constexpr std::size_t kStep = kHeadsAtOnce * kTileTokens;
    const std::size_t end = numbers.size() * (part + 1) / num_threads / kStep * kStep;
    for (std::size_t i = numbers.size() * part / num_threads / kStep * kStep; i < end; i += kStep) {
      sums[0] += load_row(&numbers[i]);
      sums[1] += load_row(&numbers[i + kTileTokens]);
      sums[2] += load_row(&numbers[i + 2 * kTileTokens]);
      sums[3] += load_row(&numbers[i + 3 * kTileTokens]);
    }
    total = total + (sums[0] + sums[1] + sums[2] + sums[3]).sum();
  });
  return total;
}

static Vector head_at(std::span<const float> numbers, std::size_t head) {
  return Vector(&numbers[head * kHeadDim], Index{kHeadDim});
}

static void softmax(Eigen::Ref<Eigen::ArrayXf> scores) {
  scores = (scores - scores.maxCoeff()).exp();
  scores /= scores.sum();
}

void eigen_two_passes(Workload<float>& workload, std::size_t num_threads) {
  const KVCache<float> cache = workload.plain();
  parallel_for(num_threads, workload.num_seqs() * kNumHeads, [&](std::size_t item) {
    const std::size_t seq = item / kNumHeads, head = item % kNumHeads;
    const auto slots =
        build_slot_mapping(workload.table(seq), kTileTokens, 0, workload.seq_lens[seq]);
    const Vector q = head_at(workload.query_of(seq), head);
    Eigen::ArrayXf weights(std::ssize(slots));
    for (std::size_t i = 0; i < slots.size(); ++i) {
      weights[Index(i)] = kScale * q.dot(head_at(cache.key(slots[i], head / kGroupSize), 0));
    }
    softmax(weights);
    Eigen::Map<Eigen::VectorXf> o(&workload.out_of(seq)[head * kHeadDim], Index{kHeadDim});
    o.setZero();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      o += weights[Index(i)] * head_at(cache.value(slots[i], head / kGroupSize), 0);
    }
  });
}

void gather_then_multiply(Workload<float>& workload, std::size_t num_threads) {
  const KVCache<float> cache = workload.plain();
  parallel_for(num_threads, workload.num_seqs() * kNumKvHeads, [&](std::size_t item) {
    const std::size_t seq = item / kNumKvHeads, kv_head = item % kNumKvHeads;
    const auto slots =
        build_slot_mapping(workload.table(seq), kTileTokens, 0, workload.seq_lens[seq]);
    Rows keys(std::ssize(slots), Index{kHeadDim}), values(std::ssize(slots), Index{kHeadDim});
    for (std::size_t i = 0; i < slots.size(); ++i) {
      keys.row(Index(i)) = head_at(cache.key(slots[i], kv_head), 0).transpose();
      values.row(Index(i)) = head_at(cache.value(slots[i], kv_head), 0).transpose();
    }
    const std::size_t first = kv_head * kGroupSize * kHeadDim;
    const Eigen::Map<const Rows> q(&workload.query_of(seq)[first], Index{kGroupSize},
                                   Index{kHeadDim});
    Eigen::MatrixXf weights = kScale * (keys * q.transpose());  // [seq_len, kGroupSize]
    for (Index head = 0; head < weights.cols(); ++head) softmax(weights.col(head).array());
    Eigen::Map<Rows>(&workload.out_of(seq)[first], Index{kGroupSize}, Index{kHeadDim}) =
        weights.transpose() * values;
  });
}

}  // namespace kv::bench
