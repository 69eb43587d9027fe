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

// The most likely tokens, of equal ones the first, that together have top_p of all weight. Why a
// heap: these are few, and the order of the others does not matter.
std::vector<std::size_t> most_likely(const std::vector<double>& weights, double top_p) {
  const auto is_less_likely = [&weights](std::size_t a, std::size_t b) {
    return weights[a] == weights[b] ? a > b : weights[a] < weights[b];
  };
  std::vector<std::size_t> heap(weights.size());
  std::iota(heap.begin(), heap.end(), std::size_t{0});
  std::ranges::make_heap(heap, is_less_likely);

  const double enough = top_p * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::size_t> likely;
  double weight = 0;
  while (!heap.empty() && (likely.empty() || weight < enough)) {
    std::ranges::pop_heap(heap, is_less_likely);
    likely.push_back(heap.back());
    weight += weights[heap.back()];
    heap.pop_back();
  }
  return likely;
}

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
  const std::vector<std::size_t> likely = most_likely(weights, params.top_p);

  double left = 0;
  for (const std::size_t token : likely) left += weights[token];
  left *= random_number(request, position);
  for (const std::size_t token : likely) {
    left -= weights[token];
    if (left < 0) return static_cast<TokenId>(token);
  }
  return static_cast<TokenId>(likely.back());
}

std::uint64_t hash_of_logits(std::span<const float> logits,
                             const ServedRequest& request,
                             std::size_t position) {
  const std::string& id = request.request_id;
  const std::uint64_t of_token = XXH3_64bits_withSeed(id.data(), id.size(), position);
  return XXH3_64bits_withSeed(logits.data(), logits.size_bytes(), of_token);
}

}  // namespace kv
