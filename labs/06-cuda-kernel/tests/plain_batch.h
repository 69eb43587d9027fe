#pragma once
// A small batch for programs without GoogleTest, and the kernels of all rungs by name.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "06-cuda-kernel/given/device_array.h"
#include "06-cuda-kernel/grouped_kernels.h"
#include "06-cuda-kernel/kernels.h"

namespace kv::grader {

inline std::size_t product(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

// Keys and query are 0, so attention is the mean of the values. The value of token p is p + 1.
class PlainBatch {
 public:
  PlainBatch(
      int num_heads, int num_kv_heads, int head_size, int block_size, std::vector<int> seq_lens)
      : seq_lens_(seq_lens),
        max_blocks_(*std::max_element(seq_lens.begin(), seq_lens.end()) / block_size + 1),
        slot_size_(product(num_kv_heads, head_size)),
        out_(seq_lens.size() * product(num_heads, head_size)),
        query_(std::vector<float>(out_.size(), 0)),
        keys_(seq_lens.size() * product(max_blocks_, block_size) * slot_size_),
        values_(keys_.size()),
        tables_(seq_lens.size() * static_cast<std::size_t>(max_blocks_)),
        lens_(seq_lens) {
    params_ = {out_.data(),
               query_.data(),
               keys_.data(),
               values_.data(),
               tables_.data(),
               lens_.data(),
               static_cast<int>(seq_lens.size()),
               num_heads,
               num_kv_heads,
               head_size,
               block_size,
               max_blocks_,
               *std::max_element(seq_lens.begin(), seq_lens.end()),
               1};
    for (int seq = 0; seq < params_.num_seqs; ++seq) place(seq);
  }

  const PagedAttentionParams<float>& params() const { return params_; }
  // The results of the first head of each sequence.
  std::vector<float> results() const {
    const std::vector<float> out = out_.read();
    std::vector<float> first;
    for (std::size_t i = 0; i < out.size(); i += out.size() / seq_lens_.size()) {
      first.push_back(out[i]);
    }
    return first;
  }

 private:
  void place(int seq) {
    const std::vector<float> zeros(slot_size_, 0);
    for (int block = 0; block < max_blocks_; ++block) {
      const int id = seq * max_blocks_ + block;
      tables_.write(static_cast<std::size_t>(id), &id, 1);
    }
    for (int token = 0; token < seq_lens_[static_cast<std::size_t>(seq)]; ++token) {
      const std::size_t slot =
          product(seq * max_blocks_, params_.block_size) + static_cast<std::size_t>(token);
      const std::vector<float> value(slot_size_, static_cast<float>(token + 1));
      keys_.write(slot * slot_size_, zeros.data(), slot_size_);
      values_.write(slot * slot_size_, value.data(), slot_size_);
    }
  }

  std::vector<int> seq_lens_;
  int max_blocks_;
  std::size_t slot_size_;
  DeviceArray<float> out_, query_, keys_, values_;
  DeviceArray<int> tables_, lens_;
  PagedAttentionParams<float> params_;
};

inline void launch_in_partitions(const PagedAttentionParams<float>& params) {
  const int num_partitions = params.max_seq_len / 32 + 1;
  const std::size_t size = product(params.num_seqs * params.num_heads, num_partitions);
  const DeviceArray<float> sums(size), maxima(size),
      out(size * static_cast<std::size_t>(params.head_size));
  launch_paged_attention_v2<float>({sums.data(), maxima.data(), out.data(), num_partitions}, params,
                                   32);
}

inline void launch_rung(const std::string& rung, const PagedAttentionParams<float>& params) {
  if (rung == "v1") return launch_paged_attention_v1(params);
  if (rung == "warp") return launch_paged_attention_warp(params);
  if (rung == "group") return launch_paged_attention_group(params);
  if (rung == "v2") return launch_in_partitions(params);
  throw std::runtime_error("no rung is named " + rung);
}

}  // namespace kv::grader
