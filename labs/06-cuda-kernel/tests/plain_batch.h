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

constexpr int kPlainPartition = 32;  // tokens

inline std::size_t product(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

struct PlainSizes {
  int num_heads, num_kv_heads, head_size, block_size;
  std::vector<int> seq_lens;
};

// Keys and query are 0, so attention is the mean of the values. The value of token p is p + 1.
template <class Scalar>
class PlainBatch {
 public:
  explicit PlainBatch(const PlainSizes& sizes)
      : seq_lens_(sizes.seq_lens),
        max_blocks_(max_seq_len() / sizes.block_size + 1),
        slot_size_(product(sizes.num_kv_heads, sizes.head_size)),
        out_(seq_lens_.size() * product(sizes.num_heads, sizes.head_size)),
        query_(std::vector<Scalar>(out_.size(), Scalar(0.0f))),
        keys_(seq_lens_.size() * product(max_blocks_, sizes.block_size) * slot_size_),
        values_(keys_.size()),
        tables_(seq_lens_.size() * static_cast<std::size_t>(max_blocks_)),
        lens_(seq_lens_) {
    params_ = {out_.data(),
               query_.data(),
               keys_.data(),
               values_.data(),
               tables_.data(),
               lens_.data(),
               static_cast<int>(seq_lens_.size()),
               sizes.num_heads,
               sizes.num_kv_heads,
               sizes.head_size,
               sizes.block_size,
               max_blocks_,
               max_seq_len(),
               1};
    for (int seq = 0; seq < params_.num_seqs; ++seq) place(seq);
  }

  const PagedAttentionParams<Scalar>& params() const { return params_; }
  // The results of the first head of each sequence.
  std::vector<float> results() const {
    const std::vector<Scalar> out = out_.read();
    std::vector<float> first;
    for (std::size_t i = 0; i < out.size(); i += out.size() / seq_lens_.size()) {
      first.push_back(static_cast<float>(out[i]));
    }
    return first;
  }

 private:
  int max_seq_len() const { return *std::max_element(seq_lens_.begin(), seq_lens_.end()); }

  void place(int seq) {
    const std::vector<Scalar> zeros(slot_size_, Scalar(0.0f));
    for (int block = 0; block < max_blocks_; ++block) {
      const int id = seq * max_blocks_ + block;
      tables_.write(static_cast<std::size_t>(id), &id, 1);
    }
    for (int token = 0; token < seq_lens_[static_cast<std::size_t>(seq)]; ++token) {
      const std::size_t slot =
          product(seq * max_blocks_, params_.block_size) + static_cast<std::size_t>(token);
      const std::vector<Scalar> value(slot_size_, Scalar(static_cast<float>(token + 1)));
      keys_.write(slot * slot_size_, zeros.data(), slot_size_);
      values_.write(slot * slot_size_, value.data(), slot_size_);
    }
  }

  std::vector<int> seq_lens_;
  int max_blocks_;
  std::size_t slot_size_;
  DeviceArray<Scalar> out_, query_, keys_, values_;
  DeviceArray<int> tables_, lens_;
  PagedAttentionParams<Scalar> params_;
};

// Calls launch(partial results) with room for partitions of 32 tokens.
template <class Scalar, class Launch>
void launch_in_partitions(const PagedAttentionParams<Scalar>& params, Launch launch) {
  const int num_partitions = params.max_seq_len / kPlainPartition + 1;
  const std::size_t size = product(params.num_seqs * params.num_heads, num_partitions);
  const DeviceArray<float> sums(size), maxima(size),
      out(size * static_cast<std::size_t>(params.head_size));
  launch(PartialResults{sums.data(), maxima.data(), out.data(), num_partitions});
}

inline void launch_rung(const std::string& rung, const PagedAttentionParams<float>& params) {
  if (rung == "v1") return launch_paged_attention_v1(params);
  if (rung == "warp") return launch_paged_attention_warp(params);
  if (rung == "group") return launch_paged_attention_group(params);
  if (rung != "v2") throw std::runtime_error("no rung is named " + rung);
  launch_in_partitions(params, [&](const PartialResults& partials) {
    launch_paged_attention_v2(partials, params, kPlainPartition);
  });
}

// The tensor cores take no floats.
inline void launch_rung(const std::string& /*rung*/, const PagedAttentionParams<__half>& params) {
  launch_in_partitions(params, [&](const PartialResults& partials) {
    launch_paged_attention_tensor(partials, params, kPlainPartition);
  });
}

// Calls call(batch) with numbers of a type that the rung takes.
template <class Call>
void with_batch(const std::string& rung, const PlainSizes& sizes, Call call) {
  if (rung == "tensor") return call(PlainBatch<__half>(sizes));
  call(PlainBatch<float>(sizes));
}

}  // namespace kv::grader
