#pragma once
// The model of lab 07 by its formulas, in double: it computes a whole text for each next token, and
// keeps nothing from one token to the next.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kv::oracle {

class LlamaOracle {
 public:
  struct Sizes {
    std::size_t vocab, hidden, inner, num_layers, num_heads, num_kv_heads, head_dim;
    double eps, theta;
  };
  // By Hugging Face's names, without ".weight". A matrix is [num_outputs, num_inputs].
  using Weights = std::map<std::string, std::vector<float>>;

  LlamaOracle(const Sizes& sizes, Weights weights) : sizes_(sizes), weights_(std::move(weights)) {}

  // The logits of the next token. Without lm_head, the embeddings are the last matrix.
  std::vector<double> logits(const std::vector<std::int32_t>& token_ids) const {
    Rows hidden;
    for (const std::int32_t token : token_ids) {
      const auto& embeddings = weights_.at("model.embed_tokens");
      const auto begin = embeddings.begin() + token * static_cast<std::ptrdiff_t>(sizes_.hidden);
      hidden.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(sizes_.hidden));
    }
    for (std::size_t i = 0; i < sizes_.num_layers; ++i) {
      const std::string layer = "model.layers." + std::to_string(i) + ".";
      add(hidden, attention(layer + "self_attn.", normed(hidden, layer + "input_layernorm")));
      add(hidden, mlp(layer + "mlp.", normed(hidden, layer + "post_attention_layernorm")));
    }
    const bool is_tied = !weights_.contains("lm_head");
    return product(is_tied ? "model.embed_tokens" : "lm_head",
                   normed({hidden.back()}, "model.norm"))
        .front();
  }

 private:
  using Row = std::vector<double>;
  using Rows = std::vector<Row>;  // one for each token

  static void add(Rows& sums, const Rows& more) {
    for (std::size_t t = 0; t < sums.size(); ++t)
      for (std::size_t i = 0; i < sums[t].size(); ++i) sums[t][i] += more[t][i];
  }

  Rows product(const std::string& matrix, const Rows& rows) const {
    const std::vector<float>& weights = weights_.at(matrix);
    Rows out;
    for (const Row& row : rows) {
      Row& outputs = out.emplace_back(weights.size() / row.size());
      for (std::size_t i = 0; i < weights.size(); ++i)
        outputs[i / row.size()] += static_cast<double>(weights[i]) * row[i % row.size()];
    }
    return out;
  }

  // A norm that is shorter than a row is that of each of its heads.
  Rows normed(Rows rows, const std::string& norm) const {
    const std::vector<float>& weights = weights_.at(norm);
    for (Row& row : rows) {
      for (std::size_t head = 0; head < row.size(); head += weights.size()) {
        double squares = 0;
        for (std::size_t i = 0; i < weights.size(); ++i) squares += row[head + i] * row[head + i];
        const double mean = squares / static_cast<double>(weights.size());
        for (std::size_t i = 0; i < weights.size(); ++i)
          row[head + i] *= static_cast<double>(weights[i]) / std::sqrt(mean + sizes_.eps);
      }
    }
    return rows;
  }

  // Turns dimension i of each head with the dimension half a head later, as two numbers of a plane.
  void rotate(Rows& rows) const {
    const std::size_t half = sizes_.head_dim / 2;
    for (std::size_t position = 0; position < rows.size(); ++position) {
      for (std::size_t at = 0; at < rows[position].size(); ++at) {
        const std::size_t i = at % sizes_.head_dim;
        if (i >= half) continue;
        const double turn =
            std::pow(sizes_.theta, -static_cast<double>(i) / static_cast<double>(half));
        const double angle = static_cast<double>(position) * turn;
        const double x = rows[position][at];
        const double y = rows[position][at + half];
        rows[position][at] = x * std::cos(angle) - y * std::sin(angle);
        rows[position][at + half] = x * std::sin(angle) + y * std::cos(angle);
      }
    }
  }

  Rows attention(const std::string& names, const Rows& rows) const {
    Rows queries = product(names + "q_proj", rows);
    Rows keys = product(names + "k_proj", rows);
    const Rows values = product(names + "v_proj", rows);
    if (weights_.contains(names + "q_norm")) {
      queries = normed(std::move(queries), names + "q_norm");
      keys = normed(std::move(keys), names + "k_norm");
    }
    rotate(queries);
    rotate(keys);
    Rows out(rows.size(), Row(queries.front().size()));
    for (std::size_t t = 0; t < rows.size(); ++t)
      for (std::size_t head = 0; head < sizes_.num_heads; ++head)
        attend(out[t], queries[t], keys, values, t, head);
    return product(names + "o_proj", out);
  }

  // Why relative to the largest: exp of a large score is infinite.
  static Row softmax(Row scores) {
    const double largest = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (double& score : scores) {
      score = std::exp(score - largest);
      sum += score;
    }
    for (double& score : scores) score /= sum;
    return scores;
  }

  // One head of one token, over the tokens up to it.
  void attend(Row& out,
              const Row& query,
              const Rows& keys,
              const Rows& values,
              std::size_t t,
              std::size_t head) const {
    const std::size_t dim = sizes_.head_dim;
    const std::size_t kv = head / (sizes_.num_heads / sizes_.num_kv_heads) * dim;
    Row scores;
    for (std::size_t s = 0; s <= t; ++s) {
      double score = 0;
      for (std::size_t i = 0; i < dim; ++i) score += query[head * dim + i] * keys[s][kv + i];
      scores.push_back(score / std::sqrt(static_cast<double>(dim)));
    }
    const Row weights = softmax(std::move(scores));
    for (std::size_t s = 0; s <= t; ++s)
      for (std::size_t i = 0; i < dim; ++i) out[head * dim + i] += weights[s] * values[s][kv + i];
  }

  Rows mlp(const std::string& names, const Rows& rows) const {
    Rows gates = product(names + "gate_proj", rows);
    const Rows ups = product(names + "up_proj", rows);
    for (std::size_t t = 0; t < gates.size(); ++t)
      for (std::size_t i = 0; i < gates[t].size(); ++i)
        gates[t][i] *= ups[t][i] / (1 + std::exp(-gates[t][i]));
    return product(names + "down_proj", gates);
  }

  Sizes sizes_;
  Weights weights_;
};

}  // namespace kv::oracle
