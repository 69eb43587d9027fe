#pragma once
// Attention as the formula says it, over keys and values that lie in a row: no pages, no blocks, no
// tables. Eigen's matrices, in double; they stay inside the .cpp file.

#include <cstddef>
#include <vector>

namespace kv::oracle {

// What a sequence's pages should mean.
struct DenseSequence {
  std::size_t num_kv_heads;
  std::size_t head_dim;
  std::vector<double> keys = {};    // [seq_len, num_kv_heads, head_dim]
  std::vector<double> values = {};  // [seq_len, num_kv_heads, head_dim]

  std::size_t seq_len() const { return keys.size() / (num_kv_heads * head_dim); }
};

// softmax(scale * query K^T) V over the first seq_len tokens, [num_heads, head_dim].
std::vector<double> dense_attention(const DenseSequence& sequence,
                                    const std::vector<double>& query,  // [num_heads, head_dim]
                                    std::size_t seq_len,
                                    double scale);

}  // namespace kv::oracle
