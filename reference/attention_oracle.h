#pragma once
// Attention computed by its formula, over keys and values in contiguous memory: no blocks and no
// tables. In double, with Eigen's matrices, which only the .cpp file includes.

#include <cstddef>
#include <vector>

namespace kv::oracle {

// The keys and values of one sequence, in the order of its tokens.
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
