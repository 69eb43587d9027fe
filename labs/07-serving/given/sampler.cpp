#include "07-serving/given/sampler.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace kv {
namespace {

// In [0, 1), of 53 bits.
double random_number(const ServedRequest& request, std::uint64_t position) {
  const SamplingParams& params = request.sampling_params;
  const std::string& key = params.random_key.empty() ? request.request_id : params.random_key;
  const std::uint64_t of_request = XXH64(key.data(), key.size(), params.seed);
  const std::uint64_t bits = XXH64(&position, sizeof(position), of_request);
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

// Tokens by their weight: the most likely one first, of equal ones the first token. Why a heap: few
// are asked for, and the order of the others does not matter.
class LikelyTokens {
 public:
  explicit LikelyTokens(const std::vector<double>& weights)
      : is_less_likely_{weights}, tokens_(weights.size()), num_left_(weights.size()) {
    std::iota(tokens_.begin(), tokens_.end(), std::size_t{0});
    std::ranges::make_heap(tokens_, is_less_likely_);
  }

  std::size_t of_rank(std::size_t rank) {
    while (tokens_.size() - num_left_ <= rank) {
      std::ranges::pop_heap(std::span(tokens_).first(num_left_), is_less_likely_);
      --num_left_;
    }
    return tokens_[tokens_.size() - 1 - rank];
  }

 private:
  struct IsLessLikely {
    const std::vector<double>& weights;

    bool operator()(std::size_t a, std::size_t b) const {
      return weights[a] == weights[b] ? a > b : weights[a] < weights[b];
    }
  };

  IsLessLikely is_less_likely_;
  std::vector<std::size_t> tokens_;  // a heap, and then those that were taken from it, last first
  std::size_t num_left_;             // in the heap
};

}  // namespace

TokenId sample_token(std::span<const float> logits,
                     const ServedRequest& request,
                     std::size_t position) {
  const auto best = std::ranges::max_element(logits);
  const SamplingParams& params = request.sampling_params;
  if (params.temperature == 0) return static_cast<TokenId>(best - logits.begin());

  std::vector<double> weights;
  for (const float logit : logits)
    weights.push_back(std::exp((static_cast<double>(logit) - *best) / params.temperature));
  LikelyTokens likely(weights);

  // Why two ways: with top_p 1 all are likely, and their weight needs no order.
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  double weight = params.top_p < 1 ? 0 : all;
  std::size_t num_likely = params.top_p < 1 ? 0 : weights.size();
  while (num_likely == 0 || (weight < params.top_p * all && num_likely < weights.size()))
    weight += weights[likely.of_rank(num_likely++)];

  double left = weight * random_number(request, position);
  for (std::size_t rank = 0; rank < num_likely; ++rank) {
    left -= weights[likely.of_rank(rank)];
    if (left < 0) return static_cast<TokenId>(likely.of_rank(rank));
  }
  return static_cast<TokenId>(likely.of_rank(num_likely - 1));
}

std::uint64_t hash_of_logits(std::span<const float> logits,
                             const ServedRequest& request,
                             std::size_t position) {
  const std::string& id = request.request_id;
  const std::uint64_t of_token = XXH3_64bits_withSeed(id.data(), id.size(), position);
  return XXH3_64bits_withSeed(logits.data(), logits.size_bytes(), of_token);
}

}  // namespace kv
