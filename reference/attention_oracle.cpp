#include "reference/attention_oracle.h"

#include <Eigen/Dense>

namespace kv::oracle {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The part of one KV head of the first seq_len tokens: [seq_len, head_dim].
static Matrix gather_head(const DenseSequence& sequence,
                          const std::vector<double>& tokens,
                          std::size_t kv_head,
                          std::size_t seq_len) {
  const auto head_dim = static_cast<Eigen::Index>(sequence.head_dim);
  const auto token_size = static_cast<Eigen::Index>(sequence.num_kv_heads) * head_dim;
  const Eigen::Map<const Matrix> all(tokens.data(), static_cast<Eigen::Index>(seq_len), token_size);
  return all.middleCols(static_cast<Eigen::Index>(kv_head) * head_dim, head_dim);
}

std::vector<double> dense_attention(const DenseSequence& sequence,
                                    const std::vector<double>& query,
                                    std::size_t seq_len,
                                    double scale) {
  std::vector<double> out(query.size(), 0.0);
  if (seq_len == 0) return out;
  const auto head_dim = static_cast<Eigen::Index>(sequence.head_dim);
  const std::size_t num_heads = query.size() / sequence.head_dim;
  for (std::size_t head = 0; head < num_heads; ++head) {
    const std::size_t kv_head = head * sequence.num_kv_heads / num_heads;
    const Matrix keys = gather_head(sequence, sequence.keys, kv_head, seq_len);
    const Matrix values = gather_head(sequence, sequence.values, kv_head, seq_len);
    const Eigen::Map<const Eigen::VectorXd> q(&query[head * sequence.head_dim], head_dim);
    const Eigen::ArrayXd logits = scale * (keys * q).array();
    const Eigen::ArrayXd weights = (logits - logits.maxCoeff()).exp();
    Eigen::Map<Eigen::VectorXd>(&out[head * sequence.head_dim], head_dim) =
        values.transpose() * (weights / weights.sum()).matrix();
  }
  return out;
}

}  // namespace kv::oracle
