#pragma once
// What the engine is compared with: a batch whose requests all have the same length, with the keys
// and values of each in one piece of memory. There is no scheduler and no block.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "05-paged-attention/given/attention_math.h"
#include "05-paged-attention/paged_attention.h"
#include "07-serving/given/llama.h"

namespace kv::bench {

class ContiguousBatch {
 public:
  // Memory for num_seqs requests of max_len tokens each.
  ContiguousBatch(const LlamaModel& model, std::size_t num_seqs, std::size_t max_len)
      : model_(model),
        llama_(model.config()),
        max_len_(max_len),
        row_size_(llama_.num_key_value_heads * llama_.head_dim),
        keys_(llama_.num_hidden_layers, std::vector<float>(num_seqs * max_len * row_size_)),
        values_(keys_) {}

  // Computes the tokens of each request from position `start` on, and gives the most likely next
  // token of each.
  std::vector<TokenId> step(std::span<const std::vector<TokenId>> requests, std::size_t start) {
    std::vector<TokenId> input_ids;
    positions_.clear();
    for (const std::vector<TokenId>& token_ids : requests) {
      for (std::size_t position = start; position < token_ids.size(); ++position) {
        input_ids.push_back(token_ids[position]);
        positions_.push_back(position);
      }
    }
    const Attend attend = [this](auto layer, auto out, auto query, auto key, auto value) {
      attend_layer(layer, out, query, key, value);
    };
    return next_tokens(model_.forward(input_ids, positions_, attend), requests.size());
  }

 private:
  // Row r belongs to request r / (rows of each request).
  std::size_t row_at(std::size_t row) const {
    const std::size_t num_each = positions_.back() - positions_.front() + 1;
    return (row / num_each * max_len_ + positions_[row]) * row_size_;
  }

  void attend_layer(std::size_t layer,
                    std::span<float> out,
                    std::span<const float> query,
                    std::span<const float> key,
                    std::span<const float> value) {
    for (std::size_t row = 0; row < positions_.size(); ++row) {
      std::ranges::copy(key.subspan(row * row_size_, row_size_), &keys_[layer][row_at(row)]);
      std::ranges::copy(value.subspan(row * row_size_, row_size_), &values_[layer][row_at(row)]);
    }
    for (std::size_t row = 0; row < positions_.size(); ++row) {
      for (std::size_t head = 0; head < llama_.num_attention_heads; ++head) {
        const std::size_t at = (row * llama_.num_attention_heads + head) * llama_.head_dim;
        attend_head(layer, row, head, out.subspan(at, llama_.head_dim),
                    query.subspan(at, llama_.head_dim));
      }
    }
  }

  // The same as paged_attention (5.4), without slots.
  void attend_head(std::size_t layer,
                   std::size_t row,
                   std::size_t head,
                   std::span<float> out,
                   std::span<const float> query) {
    const std::size_t group = llama_.num_attention_heads / llama_.num_key_value_heads;
    const std::size_t seq_len = positions_[row] + 1;
    const std::size_t begin =
        row_at(row) - positions_[row] * row_size_ + head / group * llama_.head_dim;
    const auto at = [&](const std::vector<float>& numbers, std::size_t i) {
      return std::span(numbers).subspan(begin + i * row_size_, llama_.head_dim);
    };
    const float scale = 1.0f / std::sqrt(static_cast<float>(llama_.head_dim));
    weights_.resize(seq_len);
    for (std::size_t i = 0; i < seq_len; ++i)
      weights_[i] = scale * dot<float>(query, at(keys_[layer], i));
    stable_softmax<float>(weights_);

    std::ranges::fill(out, 0.0f);
    for (std::size_t i = 0; i < seq_len; ++i)
      add_scaled<float>(out, weights_[i], at(values_[layer], i));
  }

  std::vector<TokenId> next_tokens(const std::vector<float>& hidden, std::size_t num_seqs) const {
    std::vector<TokenId> tokens;
    const std::size_t num_each = hidden.size() / num_seqs;
    for (std::size_t seq = 0; seq < num_seqs; ++seq) {
      const auto last =
          std::span(hidden).subspan((seq + 1) * num_each - llama_.hidden_size, llama_.hidden_size);
      const std::vector<float> logits = model_.compute_logits(last);
      tokens.push_back(static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin()));
    }
    return tokens;
  }

  const LlamaModel& model_;
  const LlamaConfig& llama_;
  std::size_t max_len_;
  std::size_t row_size_;                     // numbers of a token's key
  std::vector<std::vector<float>> keys_;     // [layer], [num_seqs, max_len, num_kv_heads, head_dim]
  std::vector<std::vector<float>> values_;   // the same
  std::vector<std::size_t> positions_ = {};  // position of each row of a step
  std::vector<float> weights_ = {};
};

}  // namespace kv::bench
