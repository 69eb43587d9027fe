#pragma once
// The sizes of a batch, and what is unusual in it.

#include <vector>

namespace kv::grader {

struct BatchShape {
  int num_heads;
  int num_kv_heads;
  int head_size;
  int block_size;
  std::vector<int> seq_lens;
  int first_block = 0;        // ids of blocks are larger
  int num_shared_blocks = 0;  // all tables begin with the same ones, where these are full
  // The score of the first token for the first query head of each group, if not 0.
  float first_score = 0;
  float value_size = 1;        // no value is larger; if not 1, those of the first token are 0
  int num_spare_entries = 0;   // entries of a table row that even the longest sequence leaves empty
  bool is_table_full = false;  // no entry follows the last block of the longest sequence
  bool has_infinity = false;   // the first value of the first token, in KV head 0
};

// In blocks of 16 or 32, the slot of a token beyond it needs more than 31 bits, and so do the
// places of its numbers.
constexpr int kFarBlock = 140'000'000;

// The first token has this score, all others are near 0: each of these has a weight that seems too
// small to count, and together they are more than the tolerance.
inline BatchShape with_first_score(float score, BatchShape shape) {
  shape.first_score = score;
  return shape;
}

inline BatchShape with_values_up_to(float size, BatchShape shape) {
  shape.value_size = size;
  return shape;
}

// Each query head of KV head 0 has an infinite result in one dimension, and the others have none.
inline BatchShape with_infinity(BatchShape shape) {
  shape.has_infinity = true;
  return shape;
}

inline BatchShape with_spare_entries(int num_entries, BatchShape shape) {
  shape.num_spare_entries = num_entries;
  return shape;
}

inline BatchShape with_full_table(BatchShape shape) {
  shape.is_table_full = true;
  return shape;
}

}  // namespace kv::grader
